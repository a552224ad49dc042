import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { CommentError } from "../errors.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createMemoryWorkspace } from "../store/memory-workspace.ts";
import { explainCommentError, FrontendComments } from "./frontend-comments.ts";

const reader = createSourceReader(readGrammarFile);
const source = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";

function open() {
  const workspace = createMemoryWorkspace({ "a.js": source, "b.js": source });
  // All in one millisecond, as a fast machine may do it.
  const store = new CommentStore({ workspace, reader, now: () => 1_700_000_000_000 });
  const comments = new FrontendComments(store, "ann");
  const add = (line: number, text = "why?", filePath = "a.js") =>
    comments.run({ do: "add", filePath, line, tag: "QUESTION", text });
  return { workspace, comments, add };
}

test("a person adds, edits, answers, resolves and moves a comment", async () => {
  const { comments, add } = open();
  const { id } = await add(2);
  const at = { filePath: "a.js", id };
  await comments.run({ do: "edit", ...at, tag: "TODO", text: "count" });
  await Promise.all(["yes", "no"].map((text) => comments.run({ do: "reply", ...at, text })));
  await comments.run({ do: "setState", ...at, state: "resolved" });
  await comments.run({ do: "move", ...at, target: { filePath: "a.js", line: 6 } });
  const { comments: all } = await comments.file("a.js");
  expect(all).toMatchObject([
    {
      ...{ ...at, line: 6, status: "exact", tag: "TODO", text: "count", state: "resolved" },
      ...{ author: "ann", anchor: "function 'two'", quote: "return 2;" },
      replies: [
        { text: "yes", author: "ann" },
        { text: "no", author: "ann" },
      ],
    },
  ]);
  expect(new Set(all[0]?.replies.map((reply) => reply.id)).size).toBe(2);
});

test("a restored comment returns to its code, wherever that is by then", async () => {
  const { comments, add, workspace } = open();
  const { id } = await add(6);
  const { deleted = "" } = await comments.run({ do: "delete", filePath: "a.js", id });
  expect(workspace.files.has("a.js.comments")).toBe(false);
  workspace.files.set("a.js", `// new\n\n${source}`);
  await add(1, "another");
  expect(await comments.run({ do: "restore", filePath: "a.js", deleted })).toMatchObject({ id });
  const { comments: all } = await comments.file("a.js");
  expect(all.map(({ line, text }) => [line, text])).toEqual([
    [1, "another"],
    [8, "why?"],
  ]);
});

test("only deleted comments can be restored", async () => {
  const { comments } = open();
  const restored = comments.run({ do: "restore", filePath: "a.js", deleted: "{" });
  await expect(restored).rejects.toThrow(CommentError);
  const words = await restored.catch(explainCommentError);
  expect(words).toMatch(/^Comment file is corrupted: .*\(1:2\)\. /);
});

test.each(["", " \n", "x".repeat(10_001)])(
  "a comment with too little or too much text is refused",
  async (text) => {
    await expect(open().add(1, text)).rejects.toThrow("A comment has 1 to 10000 characters");
  },
);

test("a search takes words, terms and states, in all files", async () => {
  const { comments, add, workspace } = open();
  const { id } = await add(2, "count the rain");
  await add(6, "the wind");
  await add(5, "name of two", "b.js");
  await comments.run({ do: "setState", filePath: "a.js", id, state: "resolved" });
  workspace.files.set("b.js", source.slice(0, source.indexOf("function two")));
  workspace.files.set("c.js.comments", "{");
  const textsOf = async (typed: string) =>
    (await comments.search(typed)).comments.map(({ text }) => text);
  expect(await textsOf("")).toHaveLength(3);
  expect(await textsOf("tag:question author:ann rain")).toEqual(["count the rain"]);
  expect(await textsOf("is:orphaned")).toEqual(["name of two"]);
  expect(await textsOf("-is:orphaned is:open")).toEqual(["the wind"]);
  expect(await textsOf('file:a.* "the w"')).toEqual(["the wind"]);
  expect(await textsOf("file:a.* the (wind|sun)")).toEqual(["the wind"]);
  expect(await textsOf("created:<2020-01-01")).toEqual([]);
  expect(await textsOf("created:>2020-01-01 author:bob")).toEqual([]);
  expect(await comments.search("rain")).toMatchObject({ total: 1, unreadable: ["c.js.comments"] });
});

test.each([
  ["created:>2023-11-01 created:<2023-12-01", 1],
  ["created:<2023-12-01 created:>2023-11-01", 1],
  ["created:>2020-01-01 created:<2021-01-01", 0],
  ["created:>2023-11-14 created:<2024-01-01", 0],
  ["created:2023-11-14 created:>2023-11-01", 1],
])("%s is a range that includes both ends", async (typed, count) => {
  const { comments, add } = open();
  await add(2);
  expect(await comments.search(typed)).toMatchObject({ total: count });
});

test("several words are one phrase", async () => {
  const { comments, add } = open();
  await add(2, "alpha beta");
  expect(await comments.search("alpha tag:QUESTION Beta")).toMatchObject({ total: 1 });
  expect(await comments.search("beta alpha")).toMatchObject({ total: 0 });
});

test("matches in replies come after matches in comments", async () => {
  const { comments, add } = open();
  const { id } = await add(2);
  await comments.run({ do: "reply", filePath: "a.js", id, text: "because of the rain" });
  await add(6, "rain");
  const found = async (typed: string) =>
    (await comments.search(typed)).comments.map(({ text }) => text);
  expect(await found("Rain")).toEqual(["rain", "why?"]);
  expect(await found("of the (rain|sun)")).toEqual(["why?"]);
});

test.each([
  ["tag:TODOS", "tag:TODOS: expected one of TODO, FIXME, NOTE, STAR, QUESTION"],
  ["is:orphan", "is:orphan: expected one of is:open, is:resolved"],
  ["-tag:TODO", "-tag:TODO: only is: and has: can be excluded"],
  ["created:soon", "created:soon: expected a day, such as created:2025-10-01"],
  ["tag:TODO tag:NOTE", "tag:NOTE: tag: can be given once"],
  ["author:ann author:bob", "author:bob: author: can be given once"],
  ["file:a.js file:b.js", "file:b.js: file: can be given once"],
  [
    "created:<2020-01-01 created:>2021-01-01",
    "created:>2021-01-01: no day matches all created: terms",
  ],
  ["(a", "query: missing closing )"],
])("a search for %s is refused with the valid values", async (typed, words) => {
  await expect(open().comments.search(typed)).rejects.toThrow(words);
});
