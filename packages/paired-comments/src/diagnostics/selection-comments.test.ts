import { claudeCode, defaultSharePolicy, type EditorHost } from "@idewire/core";
import { shareState } from "@idewire/core/internal";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { createTextReader } from "../anchors/markdown/text-reader.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createMemoryWorkspace } from "../store/memory-workspace.ts";
import { withSelectionComments } from "./selection-comments.ts";

const path = posixPath("/vault/plan.md");
const text = "# Plan\n\nWe meet.\n\nWe eat.\n";

/** An editor with a note that has three comments, and the number of its selection events. */
async function open(words = "where?") {
  const workspace = createMemoryWorkspace({ "plan.md": text });
  const store = new CommentStore({ workspace, reader: createTextReader() });
  const add = (line: number, what: string) =>
    store.add({ filePath: "plan.md", line, text: what, tag: "QUESTION", author: "ann" });
  const { comment } = await add(3, words);
  const done = await add(3, "done");
  await store.edit("plan.md", done.comment.id, { status: "resolved" });
  await add(5, "what?");
  const editor = fakeEditorHost();
  const host = withSelectionComments(editor, (filePath) => store.file(filePath));
  let events = 0;
  host.on("selection", () => {
    events += 1;
  });
  const select = (first: number, last: number, selected = "We meet.") => {
    const [start, end] = [first, last].map((line) => ({ line, character: 0 }));
    if (start === undefined || end === undefined) return;
    editor.setSelection({ path, ranges: [{ start, end, text: selected }], primary: 0 });
  };
  return { workspace, store, host, select, comment, eventCount: () => events };
}

function encodedFor(host: EditorHost, level: "selection" | "all") {
  const share = { ...defaultSharePolicy, level };
  const state = shareState(host, share);
  return claudeCode.encodeState(state, { platform: "posix", clientKind: "claude" })?.params;
}

const commentsOf = (host: EditorHost) => host.selection("latest")?.comments ?? [];

test("a selection is sent at once, and again with the open comments on its lines", async () => {
  const { host, select, comment, eventCount } = await open();
  select(2, 3);
  expect(commentsOf(host)).toEqual([]);
  await expect.poll(eventCount).toBe(2);
  const lines = { start: 2, end: 2 };
  const { id } = comment;
  expect(commentsOf(host)).toEqual([{ lines, id, tag: "QUESTION", author: "ann", text: "where?" }]);
  expect(encodedFor(host, "all")).toMatchObject({
    text: `[Comments on these lines, not part of the file:\nline 3, QUESTION by ann (${id}): where?]\nWe meet.`,
  });
});

test("below the level all, and for an empty selection, no comments are sent", async () => {
  const { host, select, eventCount } = await open();
  select(2, 3);
  void commentsOf(host);
  await expect.poll(eventCount).toBe(2);
  expect(encodedFor(host, "selection")).toMatchObject({ text: "We meet." });
  select(2, 2, "");
  expect(encodedFor(host, "all")).toMatchObject({ text: "" });
});

test("comments on other lines, on lost text and in damaged files are not sent", async () => {
  const { host, select, eventCount, workspace } = await open();
  select(0, 1);
  void commentsOf(host);
  workspace.files.set("plan.md", text.replace("We eat.\n", ""));
  select(3, 5);
  void commentsOf(host);
  workspace.files.set("plan.md.comments", "{");
  select(2, 3);
  void commentsOf(host);
  await new Promise((resolve) => setImmediate(resolve));
  expect(commentsOf(host)).toEqual([]);
  expect(eventCount()).toBe(3);
});

test("long comments leave the selection half of the text that Claude Code shows its model", async () => {
  const { host, select, eventCount } = await open("word ".repeat(2_000));
  select(0, 5);
  void commentsOf(host);
  await expect.poll(eventCount).toBe(2);
  const { text: shown } = encodedFor(host, "all") as { readonly text: string };
  expect(shown.length).toBeLessThan(1_200);
  expect(shown).toMatch(/\nWe meet\.$/);
});
