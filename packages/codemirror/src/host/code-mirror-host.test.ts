// @vitest-environment jsdom
import { setDiagnostics } from "@codemirror/lint";
import { EditorSelection, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { DiffRequest, PosixPath } from "@idewire/core";
import { editorHostContract, posixPath } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { toMarkers } from "../markers.ts";
import { offsetOf } from "../positions.ts";
import { type CodeMirrorHost, type CodeMirrorHostOptions, createCodeMirrorHost } from "./index.ts";
import type { Review } from "./review.ts";

const path = posixPath("/notes/a.txt");
const text = "first line ✓\nsecond line\n";

/** A page with files on a disk, editors, and reviews. */
class Page {
  readonly disk = new Map<string, string>([[path, text]]);
  readonly reviews: { readonly review: Review; readonly view: EditorView }[] = [];
  readonly views = new Map<string, EditorView>();
  readonly editors: CodeMirrorHost;

  constructor(options: Partial<CodeMirrorHostOptions> = {}) {
    this.editors = createCodeMirrorHost({
      folders: ["/notes"],
      read: async (file) => this.disk.get(file),
      open: (file) => void this.open(file),
      save: async (file, saved) => void this.disk.set(file, saved),
      showReview: (review) => this.#show(review),
      ...options,
    });
  }

  open(file: PosixPath): EditorView {
    const shown = this.views.get(file);
    if (shown !== undefined) return shown;
    const doc = this.disk.get(file) ?? "";
    const extensions = [this.editors.file(file, doc), EditorState.allowMultipleSelections.of(true)];
    const state = EditorState.create({ doc, extensions });
    const view = new EditorView({ state, parent: document.body });
    this.views.set(file, view);
    return view;
  }

  close(): void {
    this.editors.close();
    for (const view of this.views.values()) view.destroy();
  }

  #show(review: Review): void {
    const { doc, extension: extensions } = review;
    const view = new EditorView({ state: EditorState.create({ doc, extensions }) });
    this.reviews.push({ review, view });
    review.signal.addEventListener("abort", () => view.destroy());
  }
}

function diff(facts: Partial<DiffRequest>): DiffRequest {
  const { proposed = "new\n" } = facts;
  const names = { id: "1", session: "s", title: "a.txt", outsideWorkspace: false };
  return { ...names, path, oldPath: path, ...facts, proposed };
}

editorHostContract(
  { test, expect },
  {
    name: "CodeMirror",
    makeHost() {
      const page = new Page();
      const replace = (view: EditorView, insert: string) =>
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
      return {
        host: page.editors.host,
        file: { path, text },
        edit(file, unsaved) {
          const view = page.open(file);
          const { doc } = view.state;
          if (unsaved.endsWith(doc.toString())) {
            view.dispatch({ changes: { from: 0, insert: unsaved.slice(0, -doc.length) } });
          } else replace(view, unsaved);
        },
        select(file, { start, end }) {
          const view = page.open(file);
          const [anchor, head] = [offsetOf(view.state.doc, start), offsetOf(view.state.doc, end)];
          view.dispatch({ selection: { anchor, head } });
        },
        answer: (id, answer) => page.editors.diffs.answer(id, answer, "editor"),
        dispose: () => page.close(),
      };
    },
  },
);

test.each([
  ["line feeds", "a\nb\nc\n"],
  ["carriage returns with line feeds", "a\r\nb\r\nc\r\n"],
  ["carriage returns", "a\rb\rc"],
  ["mixed line ends", "a\nb\r\nc\rd\n"],
  ["a byte order mark", "\uFEFFa\r\nb\r\n"],
  ["no last newline", "a\nb"],
  ["nothing", ""],
])(
  "a file with %s is read and saved byte for byte, except for the edited lines",
  async (_, saved) => {
    const page = new Page();
    page.disk.set(path, saved);
    const view = page.open(path);
    expect(await page.editors.host.read(path)).toBe(saved);
    expect(page.editors.host.documents()[0]?.dirty).toBe(false);
    view.dispatch({ changes: { from: view.state.doc.length, insert: "typed" } });
    expect(page.editors.host.documents()[0]?.dirty).toBe(true);
    await page.editors.host.save?.(path);
    expect(page.disk.get(path)).toBe(`${saved}typed`);
    expect(page.editors.host.documents()[0]?.dirty).toBe(false);
    page.close();
  },
);

test("the texts of several selected ranges have the line endings of the file", () => {
  const page = new Page();
  page.disk.set(path, "one\r\ntwo\r\nthree\n");
  const view = page.open(path);
  const ranges = [EditorSelection.range(0, 5), EditorSelection.range(8, 10)];
  view.dispatch({ selection: EditorSelection.create(ranges, 1) });
  const selection = page.editors.host.selection("current");
  expect(selection?.ranges.map((range) => range.text)).toEqual(["one\r\nt", "th"]);
  expect(selection?.primary).toBe(1);
  expect(selection?.ranges[0]?.end).toEqual({ line: 1, character: 1 });
  page.close();
});

test("a file that is not open is shown before a range of it is revealed", async () => {
  const page = new Page();
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 6 } };
  await page.editors.host.reveal?.(path, { range });
  expect(page.editors.host.selection("latest")?.ranges[0]?.text).toBe("second");
  const elsewhere = posixPath("/etc/passwd");
  await expect(page.editors.host.reveal?.(elsewhere, {})).rejects.toThrow("outside the workspace");
  expect(page.views.size).toBe(1);
  page.close();
});

test("markers are diagnostics, and follow their text", async () => {
  const page = new Page();
  const view = page.open(path);
  const changed: (readonly PosixPath[])[] = [];
  page.editors.host.on("diagnostics", (paths) => void changed.push(paths));
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 6 } };
  const diagnostic = { range, severity: "information", message: "no", source: "lint" } as const;
  view.dispatch(setDiagnostics(view.state, toMarkers(view.state.doc, [diagnostic])));
  expect(changed).toEqual([[path]]);
  expect(await page.editors.host.diagnostics?.()).toEqual([{ path, diagnostics: [diagnostic] }]);
  view.dispatch({ changes: { from: 0, insert: "new\n" } });
  const [file] = (await page.editors.host.diagnostics?.(path)) ?? [];
  expect(file?.diagnostics[0]?.range.start.line).toBe(2);
  page.close();
});

test("a review is accepted as the person has edited it, hunk by hunk", async () => {
  const page = new Page();
  const request = diff({ proposed: "FIRST\nsecond line\nthird\n" });
  const outcome = page.editors.host.openDiff?.(request, new AbortController().signal);
  await expect.poll(() => page.reviews.length).toBe(1);
  const [{ review, view } = expect.unreachable()] = page.reviews;
  view.dom.querySelector<HTMLElement>("button[name=reject]")?.click();
  view.dispatch({ changes: { from: view.state.doc.length, insert: "fourth" } });
  expect(review.accept()).toBe(true);
  const accepted = `${text}third\nfourth`;
  expect(await outcome).toEqual({ kind: "accepted", text: accepted, edited: true });
  expect(review.signal.aborted).toBe(true);
  expect(review.accept()).toBe(false);
  page.close();
});

test("a review whose editor is destroyed waits with its edits, to be shown again", async () => {
  const page = new Page();
  const request = diff({});
  const outcome = page.editors.host.openDiff?.(request, new AbortController().signal);
  await expect.poll(() => page.reviews.length).toBe(1);
  const [{ review, view } = expect.unreachable()] = page.reviews;
  view.dispatch({ changes: { from: 0, insert: "my " } });
  view.destroy();
  const { doc, extension: extensions } = review;
  const again = new EditorView({ state: EditorState.create({ doc, extensions }) });
  expect(again.state.doc.toString()).toBe("my new\n");
  review.accept();
  expect(await outcome).toEqual({ kind: "accepted", text: "my new\n", edited: true });
  again.destroy();
  page.close();
});

test("a review notes invisible differences, and that its file was written", async () => {
  const page = new Page();
  const request = diff({
    proposed: "first line ✓\r\nsecond\u200b line\r\n",
    outsideWorkspace: true,
  });
  void page.editors.host.openDiff?.(request, new AbortController().signal);
  await expect.poll(() => page.reviews.length).toBe(1);
  const [{ review } = expect.unreachable()] = page.reviews;
  page.editors.fileChanged(path, "written by another program\n");
  page.editors.fileChanged(path, "and again\n");
  expect(review.notes.map((note) => note.replace(/[:(].*/, ""))).toMatchInlineSnapshot(`
    [
      "The file is outside the workspace folders",
      "This proposal adds a hidden character",
      "Line endings change from LF to CRLF in 1 line",
      "The file has changed since the agent proposed this",
    ]
  `);
  page.close();
});

test("a file written by another program is shown, unless there is unsaved text", () => {
  const page = new Page();
  const view = page.open(path);
  view.dispatch({ selection: { anchor: 13, head: 19 } });
  const written: (readonly PosixPath[])[] = [];
  page.editors.host.on("written", (paths) => void written.push(paths));
  expect(page.editors.fileChanged(path, `inserted\r\n${text}`)).toBe(true);
  expect(page.editors.host.selection("latest")?.ranges[0]?.text).toBe("second");
  expect(page.editors.host.documents()[0]?.dirty).toBe(false);
  view.dispatch({ changes: { from: 0, insert: "mine" } });
  expect(page.editors.fileChanged(path, "theirs\n")).toBe(false);
  expect(view.state.doc.toString()).toContain("mineinserted");
  expect(page.editors.host.documents()[0]?.dirty).toBe(true);
  expect(written).toEqual([[path], [path]]);
  page.close();
});

test("a file whose editor gets the focus while it is saved is saved afterwards", async () => {
  let finish = () => {};
  const page = new Page({ save: () => new Promise<void>((resolve) => (finish = resolve)) });
  const view = page.open(path);
  view.dispatch({ changes: { from: 0, insert: "typed" } });
  const saved = page.editors.host.save?.(path);
  const state = EditorState.create({ doc: text, extensions: page.editors.file(path, text) });
  const second = new EditorView({ state, parent: document.body });
  second.destroy();
  finish();
  expect(await saved).toEqual({ saved: true });
  expect(page.editors.host.documents()[0]?.dirty).toBe(false);
  page.close();
});

test("an editor with unsaved text keeps it when another program writes the file", () => {
  const page = new Page();
  const first = page.open(path);
  first.dispatch({ changes: { from: 0, insert: "mine " } });
  const state = EditorState.create({ doc: text, extensions: page.editors.file(path, text) });
  const second = new EditorView({ state, parent: document.body });
  expect(page.editors.fileChanged(path, "theirs\n")).toBe(false);
  expect(first.state.doc.toString()).toContain("mine first line");
  expect(page.editors.host.documents()[0]?.dirty).toBe(true);
  second.destroy();
  page.close();
});

test("a mention is for the selected lines, or for the whole file", () => {
  const page = new Page();
  const view = page.open(path);
  const mentions: unknown[] = [];
  page.editors.host.on("mention", (mention) => void mentions.push(mention));
  page.editors.mention(view);
  view.dispatch({ selection: { anchor: 15, head: 2 } });
  page.editors.mention(view);
  view.dispatch({ selection: { anchor: 0, head: 13 } });
  page.editors.mention(view);
  const [both, first] = [1, 0].map((end) => ({ path, lines: { start: 0, end } }));
  expect(mentions).toEqual([{ path }, both, first]);
  expect(page.editors.mention(new EditorView())).toBe(false);
  page.close();
});

test("invalid options and paths are refused with the value seen", () => {
  const read = async () => undefined;
  const make = (options: object) => () => createCodeMirrorHost(options as CodeMirrorHostOptions);
  expect(make({ folders: ["notes"], read })).toThrow('the path "notes" is not absolute');
  expect(make({ folders: [], read, opne: 1 })).toThrow('unknown option "opne"');
  expect(make({ folders: [] })).toThrow("without read()");
  const page = new Page();
  expect(() => page.editors.file("/elsewhere/a.txt", "")).toThrow("in none of the folders");
});

test("an editor without reviews or saving offers neither", () => {
  const { host } = createCodeMirrorHost({ folders: ["/notes"], read: async () => undefined });
  expect([host.openDiff, host.closeDiff, host.save]).toEqual([undefined, undefined, undefined]);
});
