import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { grammarNames } from "@idewire/paired-comments/internal";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../packages/web-playground/dist", import.meta.url));
const scripts = builtScripts();

/** The scripts in the service worker's list: the folder may contain those of an older build, too. */
function builtScripts(): readonly string[] {
  const worker = readFileSync(join(dist, "service-worker.js"), "utf8");
  const files = JSON.parse(/^const FILES = (\[.*?\]);/m.exec(worker)?.[1] ?? "[]") as string[];
  return files.flatMap((file) => /^assets\/(.*\.js)$/.exec(file)?.[1] ?? []);
}

function kilobytes(names: readonly string[]): number {
  const sizes = names.map((name) =>
    gzipSync(readFileSync(join(dist, "assets", name)), { level: 9 }),
  );
  return sizes.reduce((sum, { byteLength }) => sum + byteLength, 0) / 1000;
}

/** The entry, and its static imports. */
function firstView(): readonly string[] {
  const loaded = new Set(
    [...readFileSync(join(dist, "index.html"), "utf8").matchAll(/assets\/([\w-]+\.js)/g)].map(
      ([, name]) => name ?? "",
    ),
  );
  for (const file of loaded) {
    const code = readFileSync(join(dist, "assets", file), "utf8");
    for (const [, name] of code.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      loaded.add(name ?? "");
  }
  return [...loaded];
}

/** Sizes are reported by the benchmarks; here only growth by a quarter fails. */
test.each([
  ["the first view", firstView, 93],
  ["all of it", () => scripts, 484],
])("the scripts of the playground take about as much as recorded: %s", (_, names, kB) => {
  expect(scripts).toEqual(expect.arrayContaining([...firstView()]));
  expect(names().length).toBeGreaterThan(0);
  expect(kilobytes(names())).toBeLessThanOrEqual(1.25 * kB);
});

test("the playground has a grammar of each language, and the page of a folder has none", () => {
  const files = readdirSync(join(dist, "grammars"));
  const grammars = files.filter((name) => name.endsWith(".wasm"));
  expect(grammars).toEqual(
    expect.arrayContaining(["web-tree-sitter.wasm", "tree-sitter-python.wasm"]),
  );
  expect(grammars).toHaveLength(grammarNames.length + 1);
  expect(files.filter((name) => !name.endsWith(".wasm"))).toEqual([
    "LICENSE-tree-sitter-wasms.txt",
    "LICENSE-web-tree-sitter.txt",
  ]);
  for (const name of grammars) {
    expect(statSync(join(dist, "grammars", name)).size, name).toBeGreaterThan(5_000);
  }
  expect(readdirSync(join(dist, "../../cli/dist/web"))).not.toContain("grammars");
});

/** A text that occurs in only one part of the page. */
const parts = {
  editor: "cm-lineNumbers",
  review: "Title: ",
  "frame pane": "since start",
  tours: "A recorded trace. Move through it",
  dialogs: "Save as JSON Lines",
  "page of a folder": "Connected agents",
  "dialect comparison": "Dialect comparison",
  "comparison of sessions": "Include equal messages",
  rules: "IDE-LIFE-003",
  comments: "Search comments of all files",
};

test.each(Object.entries(parts))("the %s is loaded later", (_, text) => {
  const read = (name: string) => readFileSync(join(dist, "assets", name), "utf8");
  const files = scripts.filter((name) => read(name).includes(text));
  expect(files.length).toBeGreaterThan(0);
  expect(firstView().filter((name) => files.includes(name))).toEqual([]);
});
