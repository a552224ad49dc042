import { expect, test } from "vitest";
import { posixPath } from "../../testing/posix-path.ts";
import { sampleDiff } from "../../testing/sample-values.ts";
import { overrideHost } from "../override-host.ts";
import type { EditorChange } from "./editor-change.ts";
import { runCommand } from "./editor-command.ts";
import { InMemoryEditor } from "./in-memory-editor.ts";

const A = posixPath("/vault/a.txt");
const B = posixPath("/vault/notes/b.txt");

/** An editor with two files, and all changes and events since. */
function open() {
  const received: string[] = [];
  const editor = new InMemoryEditor({
    name: "Editor",
    version: "1",
    folder: { path: posixPath("/vault"), name: "vault" },
    onchange: (change) => received.push(describe(change)),
  });
  editor.writeFile(A, "one\ntwo\n");
  editor.writeFile(B, "b\n");
  received.length = 0;
  for (const event of ["documents", "selection", "diagnostics"] as const) {
    editor.on(event, () => void received.push(event));
  }
  return { editor, received };
}

function describe(change: EditorChange): string {
  return "path" in change ? `${change.kind} ${change.path}` : change.kind;
}

const stateOf = (editor: InMemoryEditor) =>
  editor.documents().map(({ path, active, dirty }) => ({ path, active, dirty }));
const visibleIn = (editor: InMemoryEditor) =>
  editor.documents().flatMap(({ path, visible }) => (visible ? [path] : []));

test("an opened document has the focus, and each change is reported before its event", () => {
  const { editor, received } = open();
  editor.open(A);
  editor.open(B);
  editor.open(A);
  editor.open(A);
  expect(stateOf(editor)).toEqual([
    { path: A, active: true, dirty: false },
    { path: B, active: false, dirty: false },
  ]);
  expect(visibleIn(editor)).toEqual([A]);
  const opened = [A, B, A].flatMap((path) => [`opened ${path}`, "documents"]);
  expect(received).toEqual(opened);
  expect(() => editor.open(posixPath("/vault/none"))).toThrow("/vault/none: there is no such file");
});

test("a document with unsaved text is closed only by discarding it", async () => {
  const { editor, received } = open();
  await editor.select(A, { start: { line: 0, character: 0 }, end: { line: 1, character: 1 } });
  expect(editor.selection("current")?.ranges[0]?.text).toBe("one\nt");
  editor.edit(A, "typed");
  expect(await editor.closeTab("a.txt")).toBe(false);
  expect(editor.closeDocument(A, { discard: false })).toBe(false);
  expect(await editor.read(A)).toBe("typed");
  received.length = 0;
  expect(editor.closeDocument(A, { discard: true })).toBe(true);
  expect(received).toEqual([`closed ${A}`, "selection", "documents"]);
  expect([await editor.read(A), editor.selection("latest")]).toEqual(["one\ntwo\n", undefined]);
  expect(editor.closeDocument(A, { discard: true })).toBe(false);
});

test("the previously focused document gets the focus", async () => {
  const { editor } = open();
  for (const path of [A, B]) editor.open(path);
  expect(await editor.closeTab("notes/b.txt")).toBe(true);
  expect(stateOf(editor)).toEqual([{ path: A, active: true, dirty: false }]);
});

test("saving writes the typed text; typing the present text is no change", async () => {
  const { editor, received } = open();
  editor.open(A);
  received.length = 0;
  editor.edit(A, "one\ntwo\n");
  expect(received).toEqual([]);
  editor.edit(A, "typed");
  expect([await editor.fileVersion(A), await editor.read(A)]).toEqual(["one\ntwo\n", "typed"]);
  expect(stateOf(editor)).toEqual([{ path: A, active: true, dirty: true }]);
  expect(await editor.save(A)).toEqual({ saved: true });
  expect(await editor.fileVersion(A)).toBe("typed");
  expect(stateOf(editor)).toEqual([{ path: A, active: true, dirty: false }]);
  expect(await editor.save(posixPath("/vault/none"))).toEqual({ saved: false });
});

test("a document without a file is untitled until it is saved", async () => {
  const { editor } = open();
  const path = posixPath("/vault/new.txt");
  editor.edit(path, "new");
  expect(editor.documents()[0]).toMatchObject({ untitled: true, dirty: true });
  await editor.save(path);
  expect(editor.documents()[0]).toMatchObject({ untitled: false, dirty: false });
});

test("text that was typed over an outdated version is saved only by the person's choice", async () => {
  const { editor } = open();
  editor.edit(A, "mine", { over: "as it was" });
  expect(await editor.save(A)).toEqual({
    saved: false,
    message: "/vault/a.txt has changed on disk: revert it, or keep the unsaved text",
  });
  editor.keepUnsaved(A);
  expect(await editor.save(A)).toEqual({ saved: true });
  editor.edit(A, "more", { over: "as it was" });
  editor.revert(A);
  expect([await editor.read(A), editor.documents()[0]?.dirty]).toEqual(["mine", false]);
});

test("text that two frontends typed over the same text is combined", async () => {
  const { editor } = open();
  editor.edit(A, "one\ntwo, first\n", { over: "one\ntwo\n" });
  editor.edit(A, "second\none\ntwo\n", { over: "one\ntwo\n" });
  expect(await editor.read(A)).toBe("second\none\ntwo, first\n");
  expect(await editor.save(A)).toEqual({ saved: true });
});

test("text that two frontends restore is there once, with what was typed after the first", async () => {
  const { editor } = open();
  const lost = { over: "one\ntwo\n", restores: true };
  editor.edit(A, "mine\none\ntwo\n", lost);
  editor.edit(A, "mine\none\ntwo\nmore\n", { over: "mine\none\ntwo\n" });
  editor.edit(A, "mine\none\ntwo\n", lost);
  expect(await editor.read(A)).toBe("mine\none\ntwo\nmore\n");
});

test("diagnostics replace those of all files, or of some", async () => {
  const { editor } = open();
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const wrong = [{ range, severity: "error", message: "wrong" }] as const;
  const received: unknown[] = [];
  editor.on("diagnostics", (paths) => void received.push(paths));
  editor.setDiagnostics([{ path: A, diagnostics: wrong }]);
  editor.updateDiagnostics([{ path: B, diagnostics: wrong }]);
  expect((await editor.diagnostics()).map(({ path }) => path)).toEqual([A, B]);
  editor.setDiagnostics([{ path: B, diagnostics: [] }]);
  expect(await editor.diagnostics(A)).toEqual([]);
  expect(received).toEqual([[A], [B], [B, A]]);
});

test("a diff of an unreadable file is shown against an empty text, and can be answered", async () => {
  const received: EditorChange[] = [];
  const editor = new InMemoryEditor({
    name: "Editor",
    version: "1",
    folder: { path: posixPath("/vault"), name: "vault" },
    files: {
      read: () => {
        throw new Error("no disk");
      },
      write: () => {},
    },
    onchange: (change) => received.push(change),
  });
  const request = sampleDiff({ id: "1", path: A, title: "t", proposed: "new" });
  const outcome = editor.openDiff(request, new AbortController().signal);
  expect(editor.shownDiffs).toEqual([request]);
  expect(editor.answerDiff("1", { kind: "accepted", text: "newer" })).toBe(true);
  expect(await outcome).toEqual({ kind: "accepted", text: "newer", edited: true });
  expect(received).toEqual([
    { kind: "review-opened", id: "1", path: A, title: "t", original: "", proposed: "new" },
    { kind: "review-closed", id: "1", outcome: "accepted" },
  ]);
});

test("a diff is compared again when its file is written or typed, unless that is the proposal", async () => {
  const received: EditorChange[] = [];
  const folder = { path: posixPath("/vault"), name: "vault" };
  const onchange = (change: EditorChange) => void received.push(change);
  const editor = new InMemoryEditor({ name: "Editor", version: "1", folder, onchange });
  editor.writeFile(A, "old");
  void editor.openDiff(sampleDiff({ path: A, proposed: "new" }), new AbortController().signal);
  editor.writeFile(B, "other");
  editor.writeFile(A, "newer");
  editor.edit(A, "typed");
  editor.writeFile(A, "new");
  const shown = received.filter((change) => change.kind === "review-opened");
  expect(shown.map(({ original }) => original)).toEqual(["old", "newer", "typed"]);
  expect(shown.map(({ notes = [] }) => notes.length)).toEqual([0, 1, 1]);
});

test("a view for agents may lack members that commands use", async () => {
  const { editor } = open();
  const host = overrideHost(editor, { select: undefined, read: async () => "another" });
  const start = { line: 0, character: 0 };
  await runCommand(editor, { do: "select", path: A, range: { start, end: start } });
  expect([host.select, await host.read(A), host.name]).toEqual([undefined, "another", "Editor"]);
  expect(host.documents()).toEqual(editor.documents());
  expect(host.selection("current")?.path).toBe(A);
});
