import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);
const source = `function pay(amount, currency) {
  check(amount, currency);
  return send(amount);
}
`;

/** The results of a change of the source for comments on three lines and a range. */
async function changedBy(
  change: (text: string) => string,
  afterwards?: (store: CommentStore) => Promise<unknown>,
) {
  const workspace = createMemoryWorkspace({ "a.js": source });
  const store = new CommentStore({ workspace, reader });
  const base = { filePath: "a.js", tag: "NOTE", author: "ann" } as const;
  for (const line of [1, 2, 3]) await store.add({ ...base, line, text: `on ${line}` });
  await store.add({ ...base, line: 2, endLine: 3, text: "on both" });
  const comments = workspace.files.get("a.js.comments") ?? "";
  workspace.files.set("a.js", change(source));
  await afterwards?.(store);
  const changed = await store.changedSince("a.js", { source, comments });
  return changed.map(({ located }) => located.comment.text);
}

test("a line with other text is reported, with the range around it", async () => {
  expect(await changedBy((text) => text.replace("send(amount)", "send(amount * 2)"))).toEqual([
    "on both",
    "on 3",
  ]);
});

test("anchors updated since hide no change", async () => {
  const change = (text: string) => `// head\n${text.replace("send(amount)", "send(amount * 2)")}`;
  expect(await changedBy(change, (store) => store.settle("a.js"))).toEqual(["on both", "on 3"]);
});

test("a formatter changes nothing", async () => {
  const format = () =>
    `function pay(\n\tamount,\n\tcurrency,\n) {\n\tcheck(\n\t\tamount,\n\t\tcurrency,\n\t)\n\treturn send(amount)\n}\n`;
  expect(await changedBy(format)).toEqual([]);
});

test("a comment that changed with its code is not reported", async () => {
  const change = (text: string) => text.replace("pay(", "payNow(");
  const answer = async (store: CommentStore) => {
    const { comments } = await store.file("a.js");
    const id = comments.find(({ comment }) => comment.text === "on 1")?.comment.id ?? "";
    await store.edit("a.js", id, { text: "on the new name" });
  };
  expect(await changedBy(change)).toEqual(["on 1"]);
  expect(await changedBy(change, answer)).toEqual([]);
});
