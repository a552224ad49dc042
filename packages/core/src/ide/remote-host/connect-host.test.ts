import { expect, test } from "vitest";
import {
  connectedEditor,
  editorHello as hello,
  silentEditor,
} from "../../testing/editor-fixture.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { settled } from "../../testing/raw-end.ts";

const path = posixPath("/notes/a.txt");
test("an editor's hello needs only its name and its folder", async () => {
  const { host, wire } = await connectedEditor();
  expect(host).toMatchObject({ name: "sh", version: "unknown" });
  expect(host.workspace()).toEqual({ folders: [{ path: "/notes", name: "notes" }], trusted: true });
  wire.notify("host/state", {
    documents: [{ path: "/notes/ä b.txt", active: true }],
    selection: {
      path: "/notes/ä b.txt",
      ranges: [{ start: at(3), end: { line: 1, character: 0 }, text: "one\n" }],
    },
  });
  await settled();
  expect(host.documents()).toEqual([
    {
      path: "/notes/ä b.txt",
      uri: "file:///notes/%C3%A4%20b.txt",
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
  await expect(host.read(path)).rejects.toThrow("this editor does not read files");
});

function at(character: number) {
  return { line: 0, character };
}

test("an editor may be given another name", async () => {
  const { host } = await connectedEditor([], { name: "mine" });
  expect(host).toMatchObject({ name: "mine", version: "unknown" });
});

test("an option may read files in place of the editor", async () => {
  const { host } = await connectedEditor([], {
    read: async (self, file) => `${self.name} ${file}`,
  });
  expect(await host.read(path)).toBe("sh /notes/a.txt");
});

test("a state that is not newer is ignored, part by part", async () => {
  const { host, wire } = await connectedEditor();
  const documents = (label: string) => [{ path, label }];
  wire.notify("host/state", { version: 7, documents: documents("seven") });
  wire.notify("host/state", { version: 6, documents: documents("six"), trusted: false });
  wire.notify("host/state", { version: 7, documents: documents("again") });
  await settled();
  expect(host.documents()[0]?.label).toBe("seven");
  expect(host.workspace()).toMatchObject({ trusted: false, folders: [{ name: "notes" }] });
  wire.notify("host/state", { documents: documents("newest") });
  await settled();
  expect([host.documents()[0]?.label, host.stateVersion]).toEqual(["newest", 8]);
});

test("the selection of a document that is no longer open is withdrawn without a notification", async () => {
  const { host, wire } = await connectedEditor();
  const selection = { path, ranges: [{ start: at(0), end: at(3), text: "one" }] };
  wire.notify("host/state", { documents: [{ path }], selection });
  await settled();
  let emitted = 0;
  host.on("selection", () => {
    emitted += 1;
  });
  wire.notify("host/state", { documents: [] });
  await settled();
  expect([host.selection("latest"), emitted]).toEqual([undefined, 1]);
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
])(
  "a hello of %j is refused with the member's name, and can be repeated",
  async (params, words) => {
    const { wire, host, problems } = silentEditor();
    const windows = params !== undefined && "platform" in params;
    const bad = windows ? { ...params, state: { folders: [{ path: "work" }] } } : params;
    wire.request(1, "host/hello", bad);
    const [answer] = await wire.take();
    expect(answer).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(`host/hello: ${words}`) },
    });
    expect(problems).toHaveLength(1);
    wire.request(2, "host/hello", hello);
    expect(await wire.take()).toEqual([{ jsonrpc: "2.0", id: 2, result: { protocol: 1 } }]);
    expect((await host).name).toBe("sh");
  },
);

const bad: readonly (readonly [string, unknown, string])[] = [
  ["host/hello", hello, "it was sent before"],
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
  ["host/diagnosticsChanged", { paths: [path, "x"] }, "paths.1: expected an absolute posix path"],
];

function select(members: object, start = 0) {
  return { path, ranges: [{ start: at(start), end: at(3), text: "" }], ...members };
}

function active() {
  return { path, active: true };
}

test.each(bad)(
  "%s %j has no effect, and the editor is notified of the reason",
  async (method, params, words) => {
    const { host, wire, problems } = await connectedEditor();
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

test("messages before the hello are refused", async () => {
  const { wire } = silentEditor();
  wire.request(1, "host/state", { documents: [] });
  expect(await wire.take()).toMatchObject([{ error: { message: /expected host\/hello first/ } }]);
});

test("an editor without a hello times out, and a late hello is refused", async () => {
  const { wire, host, clock } = silentEditor();
  clock.advance(30_000);
  await expect(host).rejects.toMatchObject({ code: "timeout" });
  wire.request(1, "host/hello", hello);
  expect(await wire.take()).toMatchObject([
    { error: { message: "host/hello: it arrived too late" } },
  ]);
});

test("an editor that disconnects before its hello rejects with closed", async () => {
  const { wire, host } = silentEditor();
  wire.transport.close(1001, "bye");
  await expect(host).rejects.toMatchObject({ code: "closed" });
});
