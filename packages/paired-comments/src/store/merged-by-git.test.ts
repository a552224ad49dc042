import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);
const functions = Array.from({ length: 12 }, (_, n) => functionOf(n));
const source = functions.join("");
const inserted = `function added() {\n  const first = 0;\n  return first;\n}\n\n`;

function functionOf(n: number): string {
  return `function f${n}(a) {\n  const v${n} = a + ${n};\n  return v${n} * 2;\n}\n\n`;
}

function open(files: Readonly<Record<string, string>>) {
  const workspace = createMemoryWorkspace(files);
  const store = new CommentStore({ workspace, reader });
  const add = (at: string, length = 0) => {
    const line = lineOf(workspace.files.get("a.js") ?? "", at);
    const endLine = length === 0 ? undefined : line + length;
    const text = at;
    return store.add({ filePath: "a.js", line, endLine, text, tag: "NOTE", author: "ann" });
  };
  const places = async () => {
    const { comments, source = "" } = await store.file("a.js");
    const lines = source.split("\n");
    return comments.map(({ comment: { text }, place: { status, line, endLine = line } }) => ({
      text,
      status,
      on: lines.slice(line - 1, endLine).map((each) => each.trim()),
    }));
  };
  return { files: workspace.files, store, add, places };
}

type Opened = ReturnType<typeof open>;

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split("\n").length;
}

/** The line-based merge of both branches by git, without our driver; fails on a conflict. */
function mergedByLines(base: string, ours: string, theirs: string): string {
  const folder = mkdtempSync(join(tmpdir(), "merged-by-git-"));
  try {
    const names = Object.entries({ ours, base, theirs }).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    return execFileSync("git", ["merge-file", "-p", ...names], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Branches {
  readonly base?: string;
  ours(main: Opened): Promise<unknown>;
  theirs(branch: Opened): Promise<unknown>;
}

/** A file with four comments, merged by git. */
async function merge({ base: text = source, ours, theirs }: Branches): Promise<Opened> {
  const base = open({ "a.js": text });
  for (const at of ["return v1 ", "const v4 ", "const v7 ", "const v10 "]) await base.add(at);
  const before = Object.fromEntries(base.files);
  const [left, right] = [open(before), open(before)];
  await ours(left);
  await theirs(right);
  const sides = [before, Object.fromEntries(left.files), Object.fromEntries(right.files)];
  const merged = ["a.js", "a.js.comments"].map((name) => {
    const [base = "", ours = "", theirs = ""] = sides.map((files) => files[name] ?? "");
    return [name, mergedByLines(base, ours, theirs)];
  });
  return open(Object.fromEntries(merged));
}

async function addAbove({ files, add }: Opened): Promise<void> {
  files.set("a.js", inserted + files.get("a.js"));
  await add("const first");
}

test("a comment that git merged line by line is on its own code", async () => {
  const merged = await merge({ ours: addAbove, theirs: ({ add }) => add("const v9 ") });
  const expected = { text: "const v9 ", on: ["const v9 = a + 9;"] };
  expect(await merged.places()).toContainEqual({ ...expected, status: "moved" });
  await merged.store.settle("a.js");
  expect(await merged.places()).toContainEqual({ ...expected, status: "exact" });
});

test("a comment whose branch also changed the source is on its own code", async () => {
  const merged = await merge({
    ours: addAbove,
    async theirs({ files, add }) {
      await add("const v9 ");
      await add("function f8", 3);
      files.set("a.js", source.replace("return v11 ", "return v11 + "));
    },
  });
  expect(await merged.places()).toEqual(
    expect.arrayContaining([
      { text: "const v9 ", status: "moved", on: ["const v9 = a + 9;"] },
      {
        text: "function f8",
        status: "moved",
        on: ["function f8(a) {", "const v8 = a + 8;", "return v8 * 2;", "}"],
      },
    ]),
  );
});

test("a comment whose declaration changed is on it, and reported as edited", async () => {
  const merged = await merge({
    async ours(main) {
      const text = main.files.get("a.js") ?? "";
      main.files.set("a.js", text.replace("v9 = a + 9", "v9 = a - 1"));
      await addAbove(main);
    },
    theirs: ({ add }) => add("function f9"),
  });
  expect(await merged.places()).toContainEqual({
    text: "function f9",
    status: "edited",
    on: ["function f9(a) {"],
  });
});

test("a comment whose statement was deleted is an orphan, whatever is on its line", async () => {
  const merged = await merge({
    async ours(main) {
      const text = main.files.get("a.js") ?? "";
      main.files.set("a.js", text.replace("  const v9 = a + 9;\n", ""));
      await addAbove(main);
    },
    theirs: ({ add }) => add("const v9 "),
  });
  const { comments } = await merged.store.file("a.js");
  expect(comments.find(({ comment }) => comment.text === "const v9 ")?.place).toMatchObject({
    status: "orphaned",
  });
});

test("a comment on words that occur several times is reported as a guess", async () => {
  const row = "  tick();\n";
  const base = source.replace("  const v9 = a + 9;\n", `  const v9 = a + 9;\n${row.repeat(6)}`);
  const merged = await merge({
    base,
    async ours(main) {
      const text = main.files.get("a.js") ?? "";
      main.files.set("a.js", text.replace(row, row.repeat(2)));
      await main.add("const v0 ");
    },
    async theirs({ files, store }) {
      const line = lineOf(files.get("a.js") ?? "", row) + 2;
      await store.add({ filePath: "a.js", line, text: "third", tag: "NOTE", author: "ann" });
    },
  });
  const { comments } = await merged.store.file("a.js");
  const place = comments.find(({ comment }) => comment.text === "third")?.place;
  expect(place).toMatchObject({ status: "ambiguous" });
  expect(place?.candidates.length).toBeGreaterThan(1);
});

test("a file rewritten without a change is identical", async () => {
  const { files, store, add } = open({ "a.js": source });
  await add("const v9 ");
  await add("function f9", 3);
  const written = files.get("a.js.comments");
  await store.settle("a.js");
  expect(files.get("a.js.comments")).toBe(written);
});
