import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";
import type { CommentWorkspace } from "./workspace.ts";

const reader = createSourceReader(readGrammarFile);
const source = "function one() {\n  return 1;\n}\n";
const note = { filePath: "a.js", text: "why?", tag: "QUESTION", author: "ann" } as const;

/** A workspace whose writes fail if `refuse` throws. */
function failing(workspace: CommentWorkspace, refuse: (path: string) => void): CommentWorkspace {
  return {
    ...workspace,
    update: (paths, change) =>
      workspace.update(paths, (files) =>
        change({
          ...files,
          async write(path, text) {
            refuse(path);
            await files.write(path, text);
          },
        }),
      ),
  };
}

test("a move whose second half fails has changed nothing, or reports the current state", async () => {
  const workspace = createMemoryWorkspace({ "a.js": source, "b.js": source });
  const left = { writes: 1 };
  const limited = failing(workspace, (path) => {
    if (path === "a.js" || left.writes-- <= 0) throw new Error("no space left");
  });
  const { id } = (await new CommentStore({ workspace, reader }).add({ ...note, line: 2 })).comment;
  const store = new CommentStore({ workspace: limited, reader });
  const move = () => store.move("a.js", id, { filePath: "b.js", line: 2 });
  left.writes = 2;
  await expect(move()).rejects.toThrow("no space left");
  expect(await workspace.list()).toEqual(["a.js"]);
  left.writes = 1;
  await expect(move()).rejects.toMatchObject({
    data: { suggestion: expect.stringContaining("delete it from one of them") },
  });
  expect(await workspace.list()).toEqual(["a.js", "b.js"]);
});

test("a move loses nothing if a listener throws", async () => {
  const workspace = createMemoryWorkspace({ "a.js": source, "b.js": source });
  const { id } = (await new CommentStore({ workspace, reader }).add({ ...note, line: 2 })).comment;
  const onchange = () => {
    throw new Error("a listener's own");
  };
  const store = new CommentStore({ workspace, reader, onchange });
  await expect(store.move("a.js", id, { filePath: "b.js", line: 2 })).rejects.toThrow("own");
  expect(await workspace.list()).toEqual(["b.js"]);
});

test("comments that cannot follow a renamed source stay where they are, once", async () => {
  const long = Array.from(
    { length: 9 },
    (_, at) => `function f${at}(a, b) {\n  return a * ${at} + b;\n}\n`,
  );
  const workspace = createMemoryWorkspace({ "a.js": long.join("\n") });
  await new CommentStore({ workspace, reader }).add({ ...note, line: 2 });
  workspace.files.set("renamed.js", long.join("\n"));
  workspace.files.delete("a.js");
  const full = failing(workspace, (path) => {
    if (path === "a.js") throw new Error("read-only");
  });
  const store = new CommentStore({ workspace: full, reader });
  await expect(store.add({ ...note, filePath: "renamed.js", line: 5 })).rejects.toThrow(
    "read-only",
  );
  expect(await workspace.list()).toEqual(["a.js"]);
});
