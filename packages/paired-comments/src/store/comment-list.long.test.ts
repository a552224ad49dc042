import fc from "fast-check";
import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);

/** A workspace that counts its versions and records reads. */
async function open() {
  const files = createMemoryWorkspace({ "a.ts": "one();\n", "b.ts": "two();\n" });
  const stamps = new Map<string, readonly number[]>();
  const read: string[] = [];
  const once = new Map<string, () => void>();
  const workspace = {
    ...files,
    stamp: (path: string) => stamps.get(path),
    readSource: async (path: string) => {
      read.push(path);
      const text = await files.readSource(path);
      once.get(path)?.();
      once.delete(path);
      return text;
    },
  };
  const store = new CommentStore({ workspace, reader });
  for (const filePath of ["a.ts", "b.ts"]) {
    await store.add({ filePath, line: 1, text: "why?", tag: "QUESTION", author: "ann" });
  }
  const linesNow = async () => {
    read.length = 0;
    const { files: all } = await store.all();
    return all.map(({ filePath, comments }) => `${filePath}:${comments[0]?.place.line}`);
  };
  return { files, stamps, read, once, store, linesNow };
}

test("a file is read again when its stamp differs or is missing", async () => {
  const { files, stamps, read, linesNow } = await open();
  stamps.set("a.ts", [1]);
  expect(await linesNow()).toEqual(["a.ts:1", "b.ts:1"]);
  expect(await linesNow()).toEqual(["a.ts:1", "b.ts:1"]);
  expect(read).toEqual(["b.ts"]);
  files.files.set("a.ts", "// new\none();\n");
  stamps.set("a.ts", [2]);
  expect(await linesNow()).toEqual(["a.ts:2", "b.ts:1"]);
  stamps.delete("a.ts");
  files.files.set("a.ts", "one();\n");
  expect(await linesNow()).toEqual(["a.ts:1", "b.ts:1"]);
  expect(read).toEqual(["a.ts", "b.ts"]);
});

test("a file that changes while being read is read again", async () => {
  const { files, stamps, read, once, linesNow } = await open();
  stamps.set("a.ts", [1]);
  stamps.set("b.ts", [1]);
  once.set("b.ts", () => {
    files.files.set("b.ts", "// new\ntwo();\n");
    stamps.set("b.ts", [2]);
  });
  expect(await linesNow()).toEqual(["a.ts:1", "b.ts:1"]);
  expect(await linesNow()).toEqual(["a.ts:1", "b.ts:2"]);
  expect(read).toEqual(["b.ts"]);
});

test("a file that lost its comments, or cannot be read, is reported as such", async () => {
  const { files, stamps, store, linesNow } = await open();
  stamps.set("a.ts", [1]);
  stamps.set("b.ts", [1]);
  await linesNow();
  files.files.set("a.ts.comments", "{");
  stamps.set("a.ts", [2]);
  expect(await linesNow()).toEqual(["b.ts:1"]);
  expect((await store.all()).errors).toMatchObject([{ filePath: "a.ts" }]);
  files.files.delete("b.ts.comments");
  expect(await linesNow()).toEqual([]);
});

const sourceOf = (lines: number) => `${"// new\n".repeat(lines)}one();\n`;

const changes = fc.record({
  what: fc.constantFrom("source", "comments", "take away", "put back", "unsettle"),
  path: fc.constantFrom("a.ts", "b.ts"),
  lines: fc.nat(3),
  when: fc.constantFrom("before", "list", "readSource"),
});

/** Two commented files, whose stamps are the number of their changes. */
async function openChanging() {
  const files = createMemoryWorkspace({ "a.ts": sourceOf(0), "b.ts": sourceOf(0) });
  const versions = new Map<string, number>();
  const unsettled = new Set<string>();
  const onceAfter = new Map<string, () => void>();
  const after = <T>(when: string, value: T): T => {
    const act = onceAfter.get(when);
    onceAfter.delete(when);
    act?.();
    return value;
  };
  const workspace = {
    ...files,
    stamp: (path: string) => (unsettled.has(path) ? undefined : [versions.get(path) ?? 0]),
    list: async () => after("list", await files.list()),
    readSource: async (path: string) => after("readSource", await files.readSource(path)),
  };
  const store = new CommentStore({ workspace, reader });
  for (const filePath of ["a.ts", "b.ts"]) {
    await store.add({ filePath, line: 1, text: "why?", tag: "QUESTION", author: "ann" });
  }
  const kept = new Map(files.files);
  const change = (what: string, path: string, lines: number) => {
    const comments = kept.get(`${path}.comments`) ?? "";
    versions.set(path, (versions.get(path) ?? 0) + 1);
    if (what === "source") files.files.set(path, sourceOf(lines));
    if (what === "comments") {
      files.files.set(`${path}.comments`, comments.replace("why?", `why ${lines}?`));
    }
    if (what === "take away") files.files.delete(`${path}.comments`);
    if (what === "put back") files.files.set(`${path}.comments`, comments);
    if (what === "unsettle") unsettled.add(path);
  };
  return { files, store, change, onceAfter };
}

test("after any change, also during listing or reading, a later list equals a first one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { maxLength: 12 }), async (all) => {
      const { files, store, change, onceAfter } = await openChanging();
      for (const { what, path, lines, when } of all) {
        if (when === "before") change(what, path, lines);
        else onceAfter.set(when, () => change(what, path, lines));
        await store.all();
      }
      onceAfter.clear();
      const fresh = new CommentStore({ workspace: files, reader });
      expect(await store.all()).toEqual(await fresh.all());
    }),
    { numRuns: 100 },
  );
});
