import fc from "fast-check";
import { expect, test } from "vitest";
import { createSourceReader, type SourceReader } from "../anchors/syntax/parsers.ts";
import { hashOfSource } from "../anchors/units/unit-builder.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { locate } from "./locate.ts";
import { locateUnchanged } from "./locate-unchanged.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);
const noReader: SourceReader = {
  read: (path) => Promise.reject(new Error(`${path} was read`)),
  functions: (path) => Promise.reject(new Error(`${path} was read`)),
};
const sources: Readonly<Record<string, string>> = {
  "a.ts": `\uFEFFexport class Auth {\r\n  check(a: string): boolean {\r\n    return a !== "";\r\n  }\r\n} function other() {}\r\n`,
  "b.py": "def run(a):\n    if a:\n\n        return 1\n\n\nrun(2)\n",
  "c.md": "# Plan\n\nWe meet\nin the park. ^meeting\n\n- one\n- two\n",
  "d.txt": "one\n  two\n\nthree",
};
const paths = Object.keys(sources);

test("comments of an unchanged source are found where parsing finds them, without parsing", async () => {
  const place = fc.tuple(fc.constantFrom(...paths), fc.nat(), fc.nat(3));
  const property = fc.asyncProperty(
    fc.array(place, { minLength: 1, maxLength: 5 }),
    async (all) => {
      const workspace = createMemoryWorkspace(sources);
      const store = new CommentStore({ workspace, reader });
      for (const [filePath, at, length] of all) {
        const count = (sources[filePath] ?? "").split(/\r\n|\n/).length;
        const line = 1 + (at % count);
        const endLine = Math.min(line + length, count);
        await store.add({ filePath, line, endLine, text: "why?", tag: "QUESTION", author: "ann" });
      }
      for (const path of new Set(all.map(([filePath]) => filePath))) {
        const found = await new CommentStore({ workspace, reader: noReader }).file(path);
        const parsed = locate(found.document, await reader.read(path, sources[path] ?? ""));
        expect(found.comments.map(shown)).toEqual(parsed.map(shown));
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

function shown({ comment, place, anchor }: ReturnType<typeof locate>[number]) {
  return { comment, place, anchor: anchor && `${anchor.type} ${anchor.name}` };
}

test("a source with another line end, or without its byte order mark, is not an unchanged one", async () => {
  const workspace = createMemoryWorkspace(sources);
  const store = new CommentStore({ workspace, reader });
  await store.add({ filePath: "a.ts", line: 3, text: "why?", tag: "QUESTION", author: "ann" });
  const { document, source = "" } = await store.file("a.ts");
  expect(locateUnchanged(document, source)).toHaveLength(1);
  expect(locateUnchanged(document, source.replaceAll("\r\n", "\n"))).toBeUndefined();
  expect(locateUnchanged(document, source.slice(1))).toBeUndefined();
});

test("an orphan is searched for in an unchanged source as well", async () => {
  const workspace = createMemoryWorkspace({ "a.ts": "one();\nrun(1, 2, 3);\n" });
  const store = new CommentStore({ workspace, reader });
  await store.add({ filePath: "a.ts", line: 2, text: "why?", tag: "QUESTION", author: "ann" });
  workspace.files.set("a.ts", "one();\n");
  await store.settle("a.ts");
  const { document, source = "" } = await store.file("a.ts");
  expect(document.outline?.hash).toBe(hashOfSource(source));
  expect(locateUnchanged(document, source)).toBeUndefined();
});

test("different texts have different hashes", () => {
  const edit = fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), fc.string());
  fc.assert(
    fc.property(edit, ([before, after, between]) => {
      const texts = new Set([before + after, before + between + after, after + before]);
      expect(new Set([...texts].map(hashOfSource)).size).toBe(texts.size);
    }),
    { numRuns: 300 },
  );
});
