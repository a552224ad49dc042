import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { Peer } from "../../rpc/peer.ts";
import { manualClock } from "../../testing/manual-clock.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import { type ConnectHostOptions, connectHost } from "./connect-host.ts";

const path = posixPath("/work/a.txt");
const hello = { protocol: 1, name: "sh", state: { folders: [{ path: "/work" }] } };

function listen(options: ConnectHostOptions = {}) {
  const [left, right] = createMemoryTransportPair();
  const clock = manualClock();
  const problems: string[] = [];
  const peer = new Peer(left, { clock });
  const host = connectHost(peer, {
    clock,
    onproblem: (message) => void problems.push(message),
    ...options,
  });
  host.catch(() => {});
  return { wire: new RawEnd(right), host, clock, problems, peer };
}

/** An editor that speaks for itself, and has said hello. */
async function greet(members: readonly string[] = [], options: ConnectHostOptions = {}) {
  const stage = listen(options);
  stage.wire.request(1, "host/hello", { ...hello, members });
  expect(await stage.wire.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: { protocol: 1 } }]);
  return { ...stage, host: await stage.host };
}

test("an editor need not say more than its name and its folder", async () => {
  const { host, wire } = await greet();
  expect(host.info).toEqual({ name: "sh", version: "unknown" });
  expect(host.workspace()).toEqual({ folders: [{ path: "/work", name: "work" }], trusted: true });
  wire.notify("host/state", {
    documents: [{ path: "/work/ä b.txt", active: true }],
    selection: { path: "/work/ä b.txt", ranges: [{ start: at(0), end: at(3), text: "one" }] },
  });
  await settled();
  expect(host.documents()).toEqual([
    {
      path: "/work/ä b.txt",
      uri: "file:///work/%C3%A4%20b.txt",
      languageId: "plaintext",
      dirty: false,
      untitled: false,
      active: true,
      visible: true,
      lastFocusedMs: 0,
      label: "ä b.txt",
    },
  ]);
  expect(host.selection("current")?.primary).toBe(0);
  await expect(host.read(path)).rejects.toThrow("this editor reads no files");
});

function at(character: number) {
  return { line: 0, character };
}

test("an editor may be given another name", async () => {
  const { host } = await greet([], { name: "mine" });
  expect(host.info).toEqual({ name: "mine", version: "unknown" });
});

test("an editor that reads no files may be helped", async () => {
  const { host } = await greet([], { read: async (self, file) => `${self.info.name} ${file}` });
  expect(await host.read(path)).toBe("sh /work/a.txt");
});

test("a state that is not newer than what is known is ignored, part by part", async () => {
  const { host, wire } = await greet();
  const documents = (label: string) => [{ path, label }];
  wire.notify("host/state", { version: 7, documents: documents("seven") });
  wire.notify("host/state", { version: 6, documents: documents("six"), trusted: false });
  wire.notify("host/state", { version: 7, documents: documents("again") });
  await settled();
  expect(host.documents()[0]?.label).toBe("seven");
  expect(host.workspace()).toMatchObject({ trusted: false, folders: [{ name: "work" }] });
  wire.notify("host/state", { documents: documents("newest") });
  await settled();
  expect([host.documents()[0]?.label, host.version]).toEqual(["newest", 8]);
});

test.each([
  [undefined, "params: expected object, got nothing"],
  [{}, "protocol: expected 1, got nothing; name: expected string, got nothing; state: expected"],
  [{ ...hello, protocol: 2 }, "protocol: expected 1, got 2"],
  [{ ...hello, name: "" }, 'name: expected a length of >=1, got ""'],
  [{ ...hello, members: ["read", "fly"] }, 'members.1: expected ("read" | "reveal"'],
  [{ ...hello, state: { folders: [{ path: "work" }] } }, "state.folders.0.path: expected an absol"],
  [{ ...hello, platform: "windows" }, "state.folders.0.path: expected an absolute windows path"],
  [
    { ...hello, state: { documents: [{}] } },
    "state.documents.0.path: expected string, got nothing",
  ],
])("a hello of %j is refused by name, and may be said again", async (params, words) => {
  const { wire, host, problems } = listen();
  const windows = params !== undefined && "platform" in params;
  const bad = windows ? { ...params, state: { folders: [{ path: "work" }] } } : params;
  wire.request(1, "host/hello", bad);
  const [answer] = await wire.take();
  expect(answer).toMatchObject({
    error: { code: -32602, message: expect.stringContaining(`host/hello: ${words}`) },
  });
  expect(problems).toHaveLength(1);
  wire.request(2, "host/hello", hello);
  expect((await host).info.name).toBe("sh");
});

const bad: readonly (readonly [string, unknown, string])[] = [
  ["host/hello", hello, "it was said already"],
  ["host/state", { version: 0 }, "version: expected >=1, got 0"],
  ["host/state", { selection: 5 }, "selection: expected object, got 5"],
  [
    "host/state",
    { selection: { path: "/a", ranges: [] } },
    "selection.ranges: expected a length of >=1, got []",
  ],
  ["host/state", { selection: select({ primary: 1 }) }, "selection.primary: expected less than 1"],
  [
    "host/state",
    { selection: select({}, 4) },
    "selection.ranges.0.end: expected 0:4 or later, got 0:3",
  ],
  ["host/state", { documents: [active(), active()] }, "documents: expected one active, got 2"],
  ["host/state", { documents: [{ path: 7 }] }, "documents.0.path: expected string, got 7"],
  ["host/mention", { path: "a" }, 'path: expected an absolute posix path, got "a"'],
  ["host/mention", { path, lines: { start: 2, end: 1 } }, "lines.end: expected 2 or more, got 1"],
  ["host/diagnosticsChanged", { paths: "x" }, 'paths: expected array, got "x"'],
];

function select(members: object, start = 0) {
  return { path, ranges: [{ start: at(start), end: at(3), text: "" }], ...members };
}

function active() {
  return { path, active: true };
}

test.each(bad)(
  "%s %j changes nothing, and the editor is told why",
  async (method, params, words) => {
    const { host, wire, problems } = await greet();
    host.on("documents", () => expect.unreachable());
    wire.notify(method, params);
    wire.request(9, method, params);
    const message = expect.stringContaining(`${method}: ${words}`);
    expect(await wire.take()).toEqual([
      { jsonrpc: "2.0", method: "host/problem", params: { message } },
      { jsonrpc: "2.0", id: 9, error: { code: -32602, message } },
    ]);
    expect(problems).toHaveLength(2);
    expect(host.documents()).toEqual([]);
  },
);

test("what comes before the hello is refused", async () => {
  const { wire } = listen();
  wire.request(1, "host/state", { documents: [] });
  expect(await wire.take()).toMatchObject([{ error: { message: /expected host\/hello first/ } }]);
});

test("an editor that says nothing is given up, and a late hello is refused", async () => {
  const { wire, host, clock } = listen();
  clock.advance(30_000);
  await expect(host).rejects.toMatchObject({ code: "timeout" });
  wire.request(1, "host/hello", hello);
  expect(await wire.take()).toMatchObject([{ error: { message: "host/hello: it came too late" } }]);
});

test("an editor that goes before its hello is told apart", async () => {
  const { wire, host } = listen();
  wire.transport.close(1001, "bye");
  await expect(host).rejects.toMatchObject({ code: "closed" });
});

test("an answer that is no answer is the editor's mistake, and named", async () => {
  const { host, wire } = await greet(["read", "openDiff", "diagnostics"]);
  const read = host.read(path);
  const [asked] = await wire.take();
  wire.answer(asked?.id, { text: 7 });
  await expect(read).rejects.toMatchObject({
    code: "protocol",
    message: "The editor's answer to host/read: text: expected string, got 7",
  });
  const outcome = host.openDiff?.(proposal, new AbortController().signal);
  const [shown] = await wire.take();
  wire.answer(shown?.id, { kind: "maybe" });
  await expect(outcome).rejects.toThrow('host/openDiff: kind: expected ("accepted" | ');
});

const proposal = {
  id: "d1",
  session: "s1",
  path,
  oldPath: path,
  proposed: "new\n",
  title: "t",
  outsideWorkspace: false,
};

test("an accepted proposal without a text is what was proposed", async () => {
  const { host, wire } = await greet(["openDiff"]);
  const outcome = host.openDiff?.(proposal, new AbortController().signal);
  const [shown] = await wire.take();
  expect(shown?.params).toEqual(proposal);
  wire.answer(shown?.id, { kind: "accepted" });
  expect(await outcome).toEqual({ kind: "accepted", text: "new\n", edited: false });
});

test("an editor that does not answer fails the call, and no diff waits for its good-bye", async () => {
  const { host, wire, clock } = await greet(["read", "openDiff"]);
  const read = host.read(path);
  const controller = new AbortController();
  const outcome = host.openDiff?.(proposal, controller.signal);
  await wire.take();
  for (let passed = 0; passed <= 31_000; passed += 64) clock.advance(64);
  await expect(read).rejects.toThrow(
    new ToolFailure("The editor did not answer host/read within 30 s"),
  );
  controller.abort();
  expect(await wire.take()).toMatchObject([
    { method: "host/closeDiff", params: { id: "d1", why: "asked" } },
  ]);
  for (let passed = 0; passed <= 6_000; passed += 64) clock.advance(64);
  expect(await outcome).toEqual({ kind: "cancelled" });
});

test("closing a diff twice asks the editor once", async () => {
  const { host, wire } = await greet(["openDiff", "closeDiff"]);
  const controller = new AbortController();
  const outcome = host.openDiff?.(proposal, controller.signal);
  await wire.take();
  controller.abort("answered-elsewhere");
  const closed = host.closeDiff?.("d1", "answered-elsewhere");
  const asked = await wire.take();
  expect(asked).toMatchObject([{ params: { id: "d1", why: "answered-elsewhere" } }]);
  wire.answer(asked[0]?.id, { alreadyClosed: false, text: "so far" });
  expect(await closed).toEqual({ alreadyClosed: false, text: "so far" });
  expect(await outcome).toEqual({ kind: "cancelled" });
});

test("more than the editor's patience holds is refused, and diffs can be closed all the same", async () => {
  const { host, wire } = await greet(["openDiff", "closeDiff"]);
  const open = (id: string) => host.openDiff?.({ ...proposal, id }, new AbortController().signal);
  const waiting = Array.from({ length: 200 }, (_, index) => open(`d${index}`));
  await expect(open("more")).rejects.toThrow(
    "The editor is busy: 200 requests wait for its answer",
  );
  await wire.take();
  const closed = host.closeDiff?.("d7", "asked");
  const [asked] = await wire.take();
  wire.answer(asked?.id, { alreadyClosed: false });
  expect(await closed).toEqual({ alreadyClosed: false });
  expect(await waiting[7]).toEqual({ kind: "cancelled" });
});
