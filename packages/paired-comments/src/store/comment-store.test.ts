import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { serverFile } from "../format/fixtures/dialects.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);
const source = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";

function open(files: Readonly<Record<string, string>> = { "a.js": source }) {
  const workspace = createMemoryWorkspace(files);
  return {
    workspace,
    store: new CommentStore({ workspace, reader, now: () => 1_800_000_000_000 }),
  };
}

const note = { filePath: "a.js", text: "why?", tag: "QUESTION", author: "ann" } as const;

test("comments added concurrently have distinct ids, and all are stored", async () => {
  const { store } = open();
  const added = await Promise.all([1, 2, 5, 6, 6].map((line) => store.add({ ...note, line })));
  expect(new Set(added.map(({ comment }) => comment.id)).size).toBe(5);
  expect((await store.file("a.js")).comments).toHaveLength(5);
});

test("a comment is found at its code's current place, and anchored there at the next change", async () => {
  const { store, workspace } = open();
  await store.add({ ...note, line: 6 });
  workspace.files.set("a.js", `// 1\n// 2\n${source}`);
  const { comments } = await store.file("a.js");
  expect(comments[0]?.place).toMatchObject({ line: 8, status: "moved" });
  await store.add({ ...note, line: 1 });
  workspace.files.set("a.js", `// 1\n// 2\n// 3\n${source}`);
  expect((await store.file("a.js")).comments[1]?.place).toMatchObject({ line: 9 });
  expect((await store.file("a.js")).comments[1]?.marker.originalLine).toBe(6);
});

test("an orphan stays one during later changes, and follows its code when that returns", async () => {
  const { store, workspace } = open();
  await store.add({ ...note, line: 5 });
  workspace.files.set("a.js", source.slice(0, source.indexOf("function two")));
  const other = await store.add({ ...note, line: 1 });
  const status = async (id: string) =>
    (await store.file("a.js")).comments.find(({ comment }) => comment.id === id)?.place;
  const [orphan] = (await store.file("a.js")).comments.filter(
    ({ comment }) => comment.id !== other.comment.id,
  );
  expect(orphan?.place).toMatchObject({ status: "orphaned", line: 5 });
  workspace.files.set(
    "a.js",
    `${source.slice(source.indexOf("function two"))}\n${source.slice(0, 31)}`,
  );
  expect(await status(orphan?.comment.id ?? "")).toMatchObject({ status: "moved", line: 1 });
});

test("a quote corrects the line, to the nearest with that text", async () => {
  const { store } = open();
  const { marker } = await store.add({ ...note, line: 2, quote: "return 2;" });
  expect(marker.line).toBe(6);
  await expect(store.add({ ...note, line: 2, quote: "return 3;" })).rejects.toMatchObject({
    name: "InvalidLineNumber",
    data: { suggestion: 'No line of a.js is "return 3;"; line 2 is "return 1;"' },
  });
});

test.each([0, 8.5, 9, 999])("line %d is refused with the existing lines", async (line) => {
  await expect(open().store.add({ ...note, line })).rejects.toMatchObject({
    code: -32005,
    data: { line, fileLineCount: 8, suggestion: "Line must be between 1 and 8" },
  });
});

test.each([
  ["", "none"],
  [" \n\t", "none"],
  ["x".repeat(10_001), "10001"],
])("a blank or overlong text is refused", async (text, seen) => {
  const { store } = open();
  const refusal = `A comment has 1 to 10000 characters; this one has ${seen}`;
  await expect(store.add({ ...note, text, line: 1 })).rejects.toThrow(refusal);
  const { comment } = await store.add({ ...note, line: 1 });
  await expect(store.edit("a.js", comment.id, { text })).rejects.toThrow(refusal);
  expect((await store.file("a.js")).comments.map((each) => each.comment)).toEqual([comment]);
});

test("a comment moves to another file, with another id if its own is taken", async () => {
  const { store, workspace } = open({ "a.js": source, "b.js": source });
  const here = await store.add({ ...note, line: 1 });
  const there = await store.add({ ...note, filePath: "b.js", line: 2 });
  const written = workspace.files.get("b.js.comments") ?? "";
  workspace.files.set("b.js.comments", written.replaceAll(there.comment.id, here.comment.id));
  const { to } = await store.move("a.js", here.comment.id, { filePath: "b.js", line: 5 });
  expect(to.comment.id).not.toBe(here.comment.id);
  expect(to.anchor).toMatchObject({ name: "two", type: "function" });
  expect((await store.file("a.js")).comments).toEqual([]);
  expect((await store.file("b.js")).comments.map(({ place }) => place.line)).toEqual([2, 5]);
});

test("the file is deleted with its last comment", async () => {
  const { store, workspace } = open();
  const { comment } = await store.add({ ...note, line: 1 });
  expect(workspace.files.has("a.js.comments")).toBe(true);
  await store.remove("a.js", comment.id);
  expect(workspace.files.has("a.js.comments")).toBe(false);
});

test("a file of the original is backed up before it is first written", async () => {
  const text = JSON.stringify(serverFile);
  const { store, workspace } = open({ "a.js": source, "a.js.comments": text });
  await store.edit("a.js", "c_1730000000000", { text: "new" });
  expect(workspace.files.get("a.js.comments.backup")).toBe(text);
  expect(workspace.files.get("a.js.comments")).toContain('"version": "3.0.0"');
  await store.edit("a.js", "c_1730000000000", { text: "newer" });
  expect(workspace.files.get("a.js.comments.backup")).toBe(text);
});

test("a damaged file is reported with the position, and never overwritten", async () => {
  const damaged = '{ "comments": [';
  const { store, workspace } = open({ "a.js": source, "a.js.comments": damaged });
  const refusal = { code: -32007, data: { filePath: "a.js", line: 1 } };
  await expect(store.file("a.js")).rejects.toMatchObject(refusal);
  await expect(store.add({ ...note, line: 1 })).rejects.toMatchObject(refusal);
  expect(workspace.files.get("a.js.comments")).toBe(damaged);
  expect((await store.all()).errors).toMatchObject([{ filePath: "a.js" }]);
});

test("comments of a deleted source are orphans, not lost", async () => {
  const { store, workspace } = open();
  await store.add({ ...note, line: 1 });
  workspace.files.delete("a.js");
  expect((await store.file("a.js")).comments[0]?.place.status).toBe("orphaned");
  await expect(store.file("b.js")).rejects.toMatchObject({ code: -32001 });
});

test("code moved to another file is a candidate there, and nothing is moved", async () => {
  const { store, workspace } = open();
  await store.add({ ...note, line: 5 });
  await store.add({ ...note, line: 6 });
  workspace.files.set("a.js", source.slice(0, source.indexOf("function two")));
  workspace.files.set(
    "lib/b.ts",
    `// moved\nexport ${source.slice(source.indexOf("function two"))}`,
  );
  workspace.files.set("lib/other.js", "function three() {}\n");
  const { comments } = await store.fileWithCandidates("a.js");
  expect(comments.map(({ place }) => [place.status, place.candidates[0]])).toEqual([
    [
      "orphaned",
      { filePath: "lib/b.ts", line: 2, score: expect.any(Number), text: "export function two() {" },
    ],
    ["orphaned", expect.objectContaining({ filePath: "lib/b.ts" })],
  ]);
  expect(workspace.files.has("lib/b.ts.comments")).toBe(false);
});

const long = `${source}\nfunction three() {\n  return one() + two();\n}\n\nfunction four(file, mode) {\n  log("four", file);\n  return file.open(mode, three());\n}\n\nfunction five(queue, limit) {\n  for (const each of queue.splice(0, limit)) each.settle();\n  return queue.length === 0;\n}\n`;

test("a renamed source is found by both names, and takes its comments along at the next change", async () => {
  const { store, workspace } = open({ "a.js": long, "other.js": "function one() {}\n" });
  const { comment } = await store.add({ ...note, line: 6 });
  const before = workspace.files.get("a.js.comments");
  workspace.files.delete("a.js");
  workspace.files.set("lib/b.js", `// moved\n${long}`);
  for (const path of ["a.js", "lib/b.js"]) {
    const { filePath, comments, warnings } = await store.file(path);
    expect({ filePath, warnings }).toEqual({
      filePath: "lib/b.js",
      warnings: ["a.js was renamed to lib/b.js; the next change moves its comments there"],
    });
    expect(comments[0]?.place).toMatchObject({ line: 7, status: "moved" });
  }
  expect((await store.all()).files.map(({ filePath }) => filePath)).toEqual(["lib/b.js"]);
  expect(workspace.files.get("a.js.comments")).toBe(before);
  await store.edit("lib/b.js", comment.id, { text: "because" });
  expect([...workspace.files.keys()]).not.toContain("a.js.comments");
  expect((await store.file("lib/b.js")).comments[0]).toMatchObject({
    comment: { id: comment.id, text: "because" },
    place: { line: 7, status: "exact" },
  });
});

test("comments of a deleted source stay where they are if two files resemble it, or none", async () => {
  const { store, workspace } = open({ "a.js": long, "b.js": "export const x = 1;\n" });
  await store.add({ ...note, line: 6 });
  workspace.files.delete("a.js");
  expect(await store.file("a.js")).toMatchObject({ filePath: "a.js" });
  expect((await store.file("b.js")).comments).toEqual([]);
  for (const path of ["c.js", "d.js"]) workspace.files.set(path, long);
  const { filePath, comments } = await store.file("a.js");
  expect({ filePath, status: comments[0]?.place.status }).toEqual({
    filePath: "a.js",
    status: "orphaned",
  });
  const [orphan] = (await store.fileWithCandidates("a.js")).comments;
  expect(orphan?.place.candidates.slice(0, 2)).toMatchObject([
    { filePath: "c.js", line: 6 },
    { filePath: "d.js", line: 6 },
  ]);
});

test("code moved to another file under another name is the first candidate, on the line inside", async () => {
  const body =
    "(list) {\n  const all = [];\n  for (const item of list) {\n    all.push(item);\n  }\n  return all;\n}\n";
  const { store, workspace } = open({
    "a.js": `${source}\nfunction copy${body}`,
    "b.js": `import x from "x";\n\nfor (const item of x) {\n  push(item);\n}\n`,
  });
  const { comment } = await store.add({ ...note, line: 12 });
  workspace.files.set("a.js", source);
  workspace.files.set("c.js", `\nexport function clone${body}`);
  const [orphan] = (await store.fileWithCandidates("a.js")).comments;
  expect(orphan?.place.candidates[0]).toMatchObject({
    filePath: "c.js",
    line: 5,
    text: "all.push(item);",
  });
  const { to } = await store.move("a.js", comment.id, { filePath: "c.js", line: 5 });
  expect(to.marker).toMatchObject({ line: 5, isOrphaned: false });
});

test("comments of a deleted source do not move to a later file with names of its own", async () => {
  const rule = (name: string, word: string) => `import { report } from "./report.js";

export class ${name}Rule {
  check(node) {
    if (node.kind !== "${word}") return;
    const found = this.options.allowed.includes(node.name);
    if (!found) report(node, this.options.message);
  }
}
`;
  const { store, workspace } = open({ "a.js": rule("Call", "call"), "b.js": rule("New", "new") });
  await store.add({ ...note, line: 7 });
  workspace.files.delete("a.js");
  const { filePath, comments } = await store.fileWithCandidates("a.js");
  expect({ filePath, status: comments[0]?.place.status }).toEqual({
    filePath: "a.js",
    status: "orphaned",
  });
  expect(comments[0]?.place.candidates[0]).toMatchObject({ filePath: "b.js", line: 7 });
});

test("nor to one with a common name", async () => {
  const routes = (name: string) =>
    `import { get } from "../get.js";\n\nexport default [\n  get("/"),\n  get("/all"),\n  get("/${name}"),\n];\n`;
  const { store, workspace } = open({
    "users/index.js": routes("users"),
    "posts/index.js": routes("posts"),
    "tags/index.js": "export default [];\n",
  });
  await store.add({ ...note, filePath: "users/index.js", line: 4 });
  workspace.files.delete("users/index.js");
  const { filePath, comments } = await store.file("users/index.js");
  expect({ filePath, status: comments[0]?.place.status }).toEqual({
    filePath: "users/index.js",
    status: "orphaned",
  });
});

test("code moved to another file ranks above code with only its name", async () => {
  const styles = (name: string, width: number) =>
    `const ${name} = create({\n  container: { flexBasis: ${width}, padding: ${width} },\n  label: { margin: ${width} },\n});\n`;
  const { store, workspace } = open({
    "a.js": `${source}\n${styles("styles", 7)}`,
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`b${n}.js`, styles("styles", n)])),
  });
  await store.add({ ...note, line: 10 });
  workspace.files.set("a.js", source);
  workspace.files.set("b4.js", `${styles("styles", 4)}\n${styles("labelStyles", 7)}`);
  const [orphan] = (await store.fileWithCandidates("a.js")).comments;
  expect(orphan?.place).toMatchObject({
    status: "orphaned",
    candidates: [{ filePath: "b4.js", line: 7, score: 1 }, {}, {}],
  });
});

test("a licence common to all files makes none of them the renamed one", async () => {
  const licence = `/*\n${" * You may use this file in all ways that its licence allows.\n".repeat(9)} */\n`;
  const before = `${licence}const base = read("a").filter(isSmall);\nconst all = merge({}, base);\nexport const names = all.map(({ name }) => name);\nexport const sizes = new Map(all.map(({ name, size }) => [name, size + 1]));\n`;
  const twin = `${licence}const base = 1;\nconst all = [2];\n`;
  const { store, workspace } = open({ "a.js": before, "b.js": twin });
  await store.add({ ...note, line: 12 });
  workspace.files.delete("a.js");
  expect(await store.file("a.js")).toMatchObject({ filePath: "a.js" });
  workspace.files.set("c.js", before);
  expect(await store.file("a.js")).toMatchObject({ filePath: "c.js" });
});

test("a quote is found however its accents are composed", async () => {
  const { store } = open({ "a.js": "one();\ncafe\u0301();\n" });
  const { marker } = await store.add({ ...note, line: 1, quote: "caf\u00e9();" });
  expect(marker.line).toBe(2);
  const back = open({ "a.js": "one();\ncaf\u00e9();\n" }).store;
  expect((await back.add({ ...note, line: 1, quote: "cafe\u0301();" })).marker.line).toBe(2);
});

test("an id may be abbreviated to a beginning that no other comment of the file has", async () => {
  const { store } = open();
  const first = await store.add({ ...note, line: 1 });
  await store.edit("a.js", first.comment.id.slice(0, 4), { text: "changed" });
  const second = await store.add({ ...note, line: 5 });
  expect(second.comment.id.slice(0, 4)).toBe(first.comment.id.slice(0, 4));
  const both = store.remove("a.js", second.comment.id.slice(0, 4));
  await expect(both).rejects.toMatchObject({ name: "CommentNotFound" });
  await expect(store.remove("a.js", "c_1")).rejects.toMatchObject({ name: "CommentNotFound" });
  await store.remove("a.js", second.comment.id);
  await store.remove("a.js", first.comment.id.slice(0, 4));
  expect((await store.file("a.js")).comments).toEqual([]);
});

test("comments on a file that is only proposed are at their lines as soon as it is written", async () => {
  const { store, workspace } = open({});
  const on = async (line: number) => store.add({ ...note, line, proposed: source });
  await on(6);
  await on(2);
  expect((await store.file("a.js")).comments.map(({ place }) => place.status)).toEqual([
    ...["orphaned", "orphaned"],
  ]);
  await expect(on(20)).rejects.toMatchObject({ name: "InvalidLineNumber" });
  workspace.files.set("a.js", `// new\n${source}`);
  const { comments } = await store.file("a.js");
  expect(comments.map(({ place }) => place.line).sort()).toEqual([3, 7]);
});

test("the text of a file that exists is that of the file, whatever was proposed", async () => {
  const { store } = open();
  const { marker } = await store.add({ ...note, line: 1, quote: "return 2;", proposed: "other\n" });
  expect(marker.line).toBe(6);
});
