import fc from "fast-check";
import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import type { CommentsDocument } from "../format/document.ts";
import { readDocument } from "../format/read-document.ts";
import { writeDocument } from "../format/write-document.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createMemoryWorkspace } from "../store/memory-workspace.ts";
import { mergeDocuments } from "./merge-documents.ts";
import { splitConflict } from "./split-conflict.ts";

const reader = createSourceReader(readGrammarFile);
const source = "function one() {\n  first();\n}\nfunction two() {\n  second();\n}\n";
const comment = { filePath: "a.js", line: 2, text: "why?", tag: "NOTE", author: "ann" } as const;

/** A workspace with one file, and a clock that each change advances. */
function open(files: Readonly<Record<string, string>> = { "a.js": source }) {
  const workspace = createMemoryWorkspace(files);
  let time = 1_000;
  const store = new CommentStore({ workspace, reader, now: () => time++ });
  const document = () => parse(workspace.files.get("a.js.comments") ?? "");
  return { workspace, store, document, wait: (ms: number) => (time += ms) };
}

/** Another branch that starts with the same files. */
function branch({ workspace }: ReturnType<typeof open>) {
  const copy = open(Object.fromEntries(workspace.files));
  copy.wait(500);
  return copy;
}

function parse(text: string): CommentsDocument {
  const result = readDocument(text, "a.js", 1);
  if (!result.ok) throw new Error(result.damage.parseError);
  return result.document;
}

function textsOf({ comments }: CommentsDocument): readonly string[] {
  return comments.map(({ text }) => text).sort();
}

test("comments added on two branches are both kept, one renumbered if their ids are equal", async () => {
  const [left, right] = [open(), open()];
  const first = await left.store.add(comment);
  const second = await right.store.add({ ...comment, line: 5, text: "and why that?" });
  const written = right.workspace.files.get("a.js.comments") ?? "";
  const [ours, theirs] = [
    left.document(),
    // Earlier versions derived ids from the time alone.
    parse(
      written
        .replaceAll(second.comment.id, first.comment.id)
        .replaceAll(second.marker.id, first.marker.id),
    ),
  ];
  expect(ours.comments[0]?.id).toBe(theirs.comments[0]?.id);
  const { document, renumbered } = mergeDocuments({ ours, theirs, nowMs: 1 });
  expect(textsOf(document)).toEqual(["and why that?", "why?"]);
  expect(new Set(document.comments.map(({ id }) => id)).size).toBe(2);
  expect(renumbered).toEqual([{ from: ours.comments[0]?.id, to: document.comments[1]?.id }]);
  expect(new Set(document.ghostMarkers.map(({ id }) => id)).size).toBe(2);
});

test("a change or deletion by one branch is in the result; an edit wins over a deletion", async () => {
  const base = open();
  const [edited, deleted, disputed] = [
    await base.store.add(comment),
    await base.store.add({ ...comment, text: "goes" }),
    await base.store.add({ ...comment, text: "disputed" }),
  ];
  const [left, right] = [branch(base), branch(base)];
  await left.store.edit("a.js", edited.comment.id, { status: "resolved" });
  await left.store.remove("a.js", deleted.comment.id);
  await left.store.remove("a.js", disputed.comment.id);
  await right.store.edit("a.js", edited.comment.id, { text: "because" });
  await right.store.edit("a.js", disputed.comment.id, { text: "still needed" });
  const sides = { base: base.document(), ours: left.document(), theirs: right.document() };
  const { document, renumbered } = mergeDocuments({ ...sides, nowMs: 1 });
  expect(textsOf(document)).toEqual(["because", "still needed"]);
  expect(document.comments).toContainEqual(
    expect.objectContaining({ id: edited.comment.id, status: "resolved", text: "because" }),
  );
  expect(renumbered).toEqual([]);
});

test("two new texts of one comment are both kept", async () => {
  const base = open();
  const { id } = (await base.store.add(comment)).comment;
  const [left, right] = [branch(base), branch(base)];
  await left.store.edit("a.js", id, { text: "left" });
  await right.store.edit("a.js", id, { text: "right" });
  const sides = { base: base.document(), ours: left.document(), theirs: right.document() };
  const { document, renumbered } = mergeDocuments({ ...sides, nowMs: 1 });
  expect(textsOf(document)).toEqual(["left", "right"]);
  expect(renumbered).toMatchObject([{ from: id }]);
});

test("an unknown field has the value of the side that changed it, ours if both did", async () => {
  const base = open();
  await base.store.add(comment);
  const withFields = (value: object) => {
    const written = JSON.parse(base.workspace.files.get("a.js.comments") ?? "");
    for (const part of [written, written.comments[0], written.ghostMarkers[0]]) {
      Object.assign(part, value);
    }
    return parse(JSON.stringify(written));
  };
  const { document } = mergeDocuments({
    base: withFields({ changed: 1, kept: 1, gone: 1, disputed: 1 }),
    ours: withFields({ changed: 1, kept: 1, gone: 1, disputed: 2, ours: 2 }),
    theirs: withFields({ changed: 3, kept: 1, disputed: 3, theirs: 3 }),
    nowMs: 1,
  });
  const expected = { changed: 3, kept: 1, disputed: 2, ours: 2, theirs: 3 };
  for (const { unknown } of [document, ...document.comments, ...document.ghostMarkers]) {
    expect(unknown).toEqual(expected);
  }
});

test("a comment that one side moved is at its new place; one that both moved is at ours, which is reported", async () => {
  const base = open();
  const [first, second] = [
    (await base.store.add(comment)).comment.id,
    (await base.store.add({ ...comment, line: 5 })).comment.id,
  ];
  const [left, right] = [branch(base), branch(base)];
  await left.store.move("a.js", first, { filePath: "a.js", line: 1 });
  await right.store.move("a.js", first, { filePath: "a.js", line: 4 });
  await right.store.move("a.js", second, { filePath: "a.js", line: 1 });
  const sides = { base: base.document(), ours: left.document(), theirs: right.document() };
  const { document, movedByBoth } = mergeDocuments({ ...sides, nowMs: 1 });
  const lines = new Map(document.ghostMarkers.map(({ commentId, line }) => [commentId, line]));
  expect([lines.get(first), lines.get(second)]).toEqual([1, 1]);
  expect(movedByBoth).toEqual([{ id: first, theirs: { line: 4, text: "function two() {" } }]);
});

test("a comment on new code of its branch is on that code after the merge", async () => {
  const base = open();
  await base.store.add(comment);
  const [left, right] = [branch(base), branch(base)];
  left.workspace.files.set("a.js", `// head\n${source}`);
  await left.store.settle("a.js");
  right.workspace.files.set("a.js", `${source}function three() {\n  third(1, 2);\n}\n`);
  await right.store.add({ ...comment, line: 8, text: "on the new call" });
  await right.store.add({ ...comment, line: 5, text: "on the old call" });
  const sides = { base: base.document(), ours: left.document(), theirs: right.document() };
  const merged = writeDocument(mergeDocuments({ ...sides, nowMs: 1 }).document);
  const after = open({
    "a.js": `// head\n${right.workspace.files.get("a.js")}`,
    "a.js.comments": merged,
  });
  const { comments } = await after.store.file("a.js");
  expect(comments.map(({ comment: { text }, place }) => [text, place.line])).toEqual([
    ["why?", 3],
    ["on the old call", 6],
    ["on the new call", 9],
  ]);
});

test("a comment whose code its branch has changed is followed from there, with both ends, until all are anchored anew", async () => {
  const base = open();
  const { id } = (await base.store.add({ ...comment, line: 1, endLine: 3 })).comment;
  const [left, right] = [branch(base), branch(base)];
  left.workspace.files.set("a.js", `// head\n${source}`);
  await left.store.add({ ...comment, line: 6, text: "ours" });
  const changed = source.replace(
    "  first();",
    "  const a = first();\n  const b = second(a);\n  return b;",
  );
  right.workspace.files.set("a.js", changed);
  await right.store.settle("a.js");
  await right.store.add({ ...comment, line: 2, endLine: 3, text: "theirs" });
  const sides = { base: base.document(), ours: left.document(), theirs: right.document() };
  const merged = writeDocument(mergeDocuments({ ...sides, nowMs: 1 }).document);
  const again = mergeDocuments({ ours: parse(merged), theirs: right.document(), nowMs: 2 });
  const after = open({
    "a.js": `// head\n${changed}`,
    "a.js.comments": writeDocument(again.document),
  });
  const places = async () =>
    (await after.store.file("a.js")).comments.map(({ comment: { text }, place }) => [
      text,
      place.line,
      place.endLine,
    ]);
  const expected = [
    ["why?", 2, 6],
    ["theirs", 3, 4],
    ["ours", 8, undefined],
  ];
  expect(await places()).toEqual(expected);
  expect(after.document().mergedOutlines).toHaveLength(2);
  await after.store.edit("a.js", id, { status: "resolved" });
  expect(after.document().mergedOutlines).toBeUndefined();
  expect(await places()).toEqual(expected);
});

test("an unresolved conflict of git is merged in place, with either style of markers", async () => {
  for (const style of ["merge", "diff3"]) {
    const [left, right] = [open(), open()];
    await left.store.add(comment);
    await right.store.add({ ...comment, line: 5, text: "and why that?" });
    const [ours, theirs] = [left, right].map(({ workspace }) =>
      workspace.files.get("a.js.comments"),
    );
    const base = style === "diff3" ? "||||||| base\n" : "";
    const conflict = `<<<<<<< HEAD\n${ours}${base}=======\n${theirs}>>>>>>> topic\n`;
    const merging = open({ "a.js": source, "a.js.comments": conflict });
    await expect(merging.store.file("a.js")).rejects.toThrow("Comment file is corrupted");
    await merging.store.mergeConflict("a.js");
    expect(textsOf(merging.document())).toEqual(["and why that?", "why?"]);
  }
});

test("only text between complete conflict markers is split", () => {
  expect(splitConflict("a\n<<<<<<< HEAD\nb\n||||||| base\nc\n=======\nd\n>>>>>>> x\ne")).toEqual({
    ours: "a\nb\ne",
    theirs: "a\nd\ne",
    base: "a\nc\ne",
  });
  expect(splitConflict("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x")?.base).toBeUndefined();
  for (const text of ["a", "<<<<<<< HEAD\na\n=======\nb", "=======\n", "<<<<<<< a\n<<<<<<< b\n"]) {
    expect(splitConflict(text)).toBeUndefined();
  }
});

test("a merge loses no comment that a side has and the base lacks", async () => {
  const line = fc.constantFrom(1, 2, 4, 5);
  const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== "");
  const added = fc.array(fc.tuple(line, text), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(added, added, async (first, second) => {
      const [left, right] = [open(), open()];
      for (const [at, text] of first) await left.store.add({ ...comment, line: at, text });
      for (const [at, text] of second) await right.store.add({ ...comment, line: at, text });
      const ours = parse(left.workspace.files.get("a.js.comments") ?? '{"comments":[]}');
      const theirs = parse(right.workspace.files.get("a.js.comments") ?? '{"comments":[]}');
      const { document } = mergeDocuments({ ours, theirs, nowMs: 1 });
      const merged = textsOf(parse(writeDocument(document)));
      for (const text of [...textsOf(ours), ...textsOf(theirs)]) expect(merged).toContain(text);
    }),
    { numRuns: 30 },
  );
});
