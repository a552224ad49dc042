import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

test("a comment on duplicated code stays on it through later changes", async () => {
  const one = "function one() {\n  return 1;\n}\n";
  const two = "function two() {\n  return 2;\n}\n";
  const workspace = createMemoryWorkspace({ "a.js": `${one}${two}` });
  const reader = createSourceReader(readGrammarFile);
  const store = new CommentStore({ workspace, reader });
  const note = { filePath: "a.js", text: "why?", tag: "QUESTION", author: "ann" } as const;
  const { comment } = await store.add({ ...note, line: 5 });
  const place = async () => {
    const { comments } = await store.file("a.js");
    return comments.find((each) => each.comment.id === comment.id)?.place;
  };
  workspace.files.set("a.js", `${one}${two}${two}`);
  expect(await place()).toMatchObject({ line: 5, status: "ambiguous" });
  await store.add({ ...note, line: 1 });
  workspace.files.set("a.js", `${one}${two}${two.replaceAll("2", "3").replace("two", "three")}`);
  expect(await place()).toMatchObject({ line: 5, status: "exact" });
});
