import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { toNativePath } from "../../paths/posix-path.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { Peer } from "../../rpc/peer.ts";
import { fakeEditorHost } from "../../testing/fake-editor-host.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import { sampleDiff, sampleDocument } from "../../testing/sample-values.ts";
import type { HostEvents, Selection } from "../editor-host.ts";
import type { EditorHostOverrides } from "../override-host.ts";
import { connectHost } from "./connect-host.ts";
import { serveHost } from "./serve-host.ts";

const path = posixPath("/notes/a.txt");
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
const selection: Selection = { path, ranges: [{ ...range, text: "one" }], primary: 0 };
const document = sampleDocument({ path, lastFocusedMs: 5 });

const everyOptional = {
  reveal: undefined,
  select: undefined,
  openDiff: undefined,
  closeDiff: undefined,
  diagnostics: undefined,
  save: undefined,
  format: undefined,
  closeTab: undefined,
} satisfies EditorHostOverrides;

/** A fake editor at one end of a wire, and the host that represents it at the other. */
async function join(overrides: EditorHostOverrides = {}, platform: "posix" | "windows" = "posix") {
  const editor = fakeEditorHost(overrides);
  const [left, right] = createMemoryTransportPair();
  const [near, far] = [new Peer(left), new Peer(right)];
  const [host] = await Promise.all([connectHost(near), serveHost(far, editor, { platform })]);
  return { editor, host, near, far };
}

const proposal = sampleDiff({ path });

test("the state is there from the start, and follows the editor", async () => {
  const { editor, host } = await join();
  expect([host.name, host.version]).toEqual([editor.name, editor.version]);
  expect(host.workspace()).toEqual(editor.workspace());
  const received: string[] = [];
  for (const event of ["workspace", "documents", "selection"] as const) {
    host.on(event, () => received.push(event));
  }
  editor.setDocuments([document]);
  editor.setSelection(selection);
  await settled();
  expect(host.documents()).toEqual([document]);
  expect([host.selection("current"), host.selection("latest")]).toEqual([selection, selection]);
  expect(received).toEqual(["documents", "selection"]);
  editor.blur();
  await settled();
  expect([host.selection("current"), host.selection("latest")]).toEqual([undefined, selection]);
  editor.setSelection(undefined);
  await settled();
  expect(host.selection("latest")).toBeUndefined();
  expect(host.stateVersion).toBe(5);
});

test("the host has exactly the members of the editor", async () => {
  const optional = Object.keys(everyOptional) as (keyof typeof everyOptional)[];
  for (const one of optional) {
    const { [one]: _, ...others } = everyOptional;
    const { host } = await join(others);
    expect(optional.filter((member) => member in host)).toEqual([one]);
  }
});

test("each member is called on the editor with its arguments", async () => {
  const { editor, host } = await join();
  editor.writeFile(path, "one\n");
  editor.setDiagnostics([{ path, diagnostics: [{ range, severity: "hint", message: "m" }] }]);
  expect(await host.read(path)).toBe("one\n");
  await host.reveal?.(path, { range, preview: true });
  await host.select?.(path, range);
  await host.format?.(path);
  expect(await host.save?.(path)).toEqual({ saved: true });
  expect(await host.closeTab?.("none")).toBe(false);
  expect(await host.diagnostics?.(path)).toEqual(await editor.diagnostics());
  expect(await host.diagnostics?.(posixPath("/notes/b.txt"))).toEqual([]);
  expect(editor.callsOf("reveal")).toEqual([[path, { range, preview: true }]]);
  expect(editor.callsOf("select")).toEqual([[path, range]]);
  expect(editor.callsOf("format")).toEqual([[path]]);
  expect(editor.callsOf("diagnostics")).toEqual([[path], [], [posixPath("/notes/b.txt")]]);
});

test("the state is up to date when an answer arrives", async () => {
  const { editor, host } = await join();
  editor.setDocuments([document]);
  await settled();
  expect(await host.closeTab?.("a.txt")).toBe(true);
  expect(host.documents()).toEqual([]);
});

test("diagnostics and mentions arrive with their content", async () => {
  const { editor, host } = await join();
  const received: unknown[] = [];
  host.on("diagnostics", (paths) => received.push(paths));
  host.on("mention", (mention) => received.push(mention));
  editor.setDiagnostics([{ path, diagnostics: [] }]);
  editor.mention({ path, lines: { start: 1, end: 2 }, session: "s1" });
  await settled();
  expect(received).toEqual([[path], { path, lines: { start: 1, end: 2 }, session: "s1" }]);
});

test("paths are native on the wire in both directions", async () => {
  const file = posixPath("/c/Users/ü/a.txt");
  const editor = fakeEditorHost();
  editor.folders = [{ path: posixPath("/c/Users/ü"), name: "ü" }];
  const [left, right] = createMemoryTransportPair();
  const wire = new RawEnd(left);
  void serveHost(new Peer(right), editor, { platform: "windows" }).catch(() => {});
  const [hello] = await wire.take();
  expect(hello?.params).toMatchObject({
    platform: "windows",
    state: { folders: [{ path: "C:\\Users\\ü", name: "ü" }] },
  });
  editor.writeFile(file, "text");
  wire.request(1, "host/read", { path: toNativePath(file, "windows") });
  expect(await wire.take()).toMatchObject([{ id: 1, result: { text: "text" } }]);
  const both = await join({}, "windows");
  both.editor.writeFile(file, "both");
  expect(await both.host.read(file)).toBe("both");
});

test("a failure of the editor reaches the model; a bug does not", async () => {
  const { host } = await join({
    save: async () => {
      throw new ToolFailure("the disk is full");
    },
    openDiff: async () => {
      throw new ToolFailure("no window is open");
    },
    format: async () => {
      throw new Error("a secret");
    },
  });
  const outcome = host.openDiff?.(proposal, new AbortController().signal);
  await expect(outcome).rejects.toThrow(new ToolFailure("no window is open"));
  await expect(host.save?.(path)).rejects.toThrow(new ToolFailure("the disk is full"));
  await expect(host.format?.(path)).rejects.toThrow(
    "The editor answered host/format with -32603: Internal error",
  );
});

test("an invalid request is answered with the member, the value seen and what was expected", async () => {
  const [left, right] = createMemoryTransportPair();
  const wire = new RawEnd(left);
  void serveHost(new Peer(right), fakeEditorHost({ save: undefined })).catch(() => {});
  await wire.take();
  wire.request(1, "host/read", { path: "relative" });
  wire.request(2, "host/select", { path: "/notes/a", range: { start: { line: -1 } } });
  wire.request(3, "host/save", { path: "/notes/a" });
  wire.request(4, "host/read");
  const answers = (await wire.take()).sort((a, b) => Number(a.id) - Number(b.id));
  expect(answers.map(({ error }) => error)).toEqual([
    { code: -32602, message: 'host/read: path: expected an absolute posix path, got "relative"' },
    {
      code: -32602,
      message:
        "host/select: range.start.line: expected >=0, got -1; " +
        "range.start.character: expected number, got nothing; range.end: expected object, got nothing",
    },
    { code: -32601, message: 'Method not found: "host/save"' },
    { code: -32602, message: "host/read: params: expected object, got nothing" },
  ]);
});

test("an editor without closeDiff is notified by the signal", async () => {
  const reasons: unknown[] = [];
  const { host } = await join({
    closeDiff: undefined,
    openDiff: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason);
          resolve({ kind: "cancelled" });
        });
      }),
  });
  const controller = new AbortController();
  const outcome = host.openDiff?.(proposal, controller.signal);
  await settled();
  controller.abort("answered-elsewhere");
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect(reasons).toEqual(["answered-elsewhere"]);
});

test("when the agents' end closes, the editor's diffs are closed", async () => {
  const { editor, host, near, far } = await join();
  const outcome = host.openDiff?.(proposal, new AbortController().signal);
  await settled();
  expect(editor.shownDiffs).toHaveLength(1);
  near.close();
  expect(await outcome).toEqual({ kind: "cancelled" });
  await far.closed;
  expect(editor.shownDiffs).toEqual([]);
});

test("when the editor disconnects, its diffs are cancelled and its state is emptied with events", async () => {
  const { editor, host, far } = await join();
  editor.setDocuments([document]);
  editor.setSelection(selection);
  const outcome = host.openDiff?.(proposal, new AbortController().signal);
  await settled();
  const received: string[] = [];
  for (const event of ["workspace", "documents", "selection"] as (keyof HostEvents)[]) {
    host.on(event, () => received.push(event));
  }
  far.close(1001, "bye");
  expect(await host.closed).toEqual({ code: 1001, reason: "bye" });
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect([host.workspace().folders, host.documents(), host.selection("latest")]).toEqual([
    [],
    [],
    undefined,
  ]);
  expect(received).toEqual(["workspace", "documents", "selection"]);
  await expect(host.read(path)).rejects.toThrow(new ToolFailure("The editor has disconnected"));
  expect(await host.closeDiff?.("d1", "asked")).toEqual({ alreadyClosed: true });
  editor.setSelection(undefined);
});
