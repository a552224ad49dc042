import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { grammarNames } from "@idewire/paired-comments/internal";
import { expect, test } from "vitest";

const dist = fileURLToPath(new URL("../../packages/web-playground/dist", import.meta.url));
const scripts = builtScripts();

/** As the build lists them for the page's worker: the folder may hold those of an older build, too. */
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

/** The entry, and what it imports at once. */
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

// What a newcomer does not need at once is loaded on demand. It shall take 48, and did when this was written;
// the rest is room for what it shares with core.
test("the first view of the playground takes at most 48.1 kB of scripts", () => {
  expect(scripts).toEqual(expect.arrayContaining([...firstView()]));
  expect(firstView().length).toBeGreaterThan(0);
  expect(kilobytes(firstView())).toBeLessThanOrEqual(48.1);
});

// The rules that editors are checked by are many words, and are loaded by who checks one. All were 260
// kB before regular expressions in a worker, saved filters, saved and held frames, and what else is asked
// of traces, such as the comparison of two sessions; the replay of one took it beyond 287 kB. Comments are
// counted apart, below: outside of their own files they have cost 3 kB, of which the text of their tour is
// the most.
test("all scripts of the playground but grammars and comments take at most 292 kB, the checks 26 of them", () => {
  const checks = scripts.filter((name) => name.startsWith("checks-"));
  expect(checks).toHaveLength(1);
  expect(kilobytes(checks)).toBeLessThanOrEqual(26);
  const others = scripts.filter((name) => !/^(grammars|comments|comment-store)-/.test(name));
  expect(kilobytes(others)).toBeLessThanOrEqual(292);
});

// Most of it finds regular expressions in linear time. The server of a folder has it instead of the page.
test("comments take at most 7.5 kB in a folder, and 116 more in the simulated workspace, parser included", () => {
  const of = (name: string) => scripts.filter((script) => script.startsWith(`${name}-`));
  expect(of("comments")).toHaveLength(1);
  expect(kilobytes(of("comments"))).toBeLessThanOrEqual(7.5);
  // A worker loads it, and where there is no network nothing does.
  const parser = readdirSync(join(dist, "assets")).filter((name) => /^comment-parser-/.test(name));
  expect(parser).toHaveLength(1);
  expect(kilobytes([...of("comment-store"), ...parser])).toBeLessThanOrEqual(116);
});

test("the playground has a grammar of each language, and the page of a folder has none", () => {
  const grammars = readdirSync(join(dist, "grammars"));
  expect(grammars).toEqual(
    expect.arrayContaining(["web-tree-sitter.wasm", "tree-sitter-python.wasm"]),
  );
  expect(grammars).toHaveLength(grammarNames.length + 1);
  for (const name of grammars) {
    expect(statSync(join(dist, "grammars", name)).size, name).toBeGreaterThan(5_000);
  }
  expect(readdirSync(join(dist, "../../cli/dist/web"))).not.toContain("grammars");
});

test("editor, review, frame pane, tours, dialogs, sequence, comparisons, rules and comments are loaded later", () => {
  const atOnce = firstView();
  for (const name of [
    "code-editor",
    "review",
    "frame-view",
    "when-idle",
    "dialogs",
    "live",
    "sequence-view",
    "dialect-comparison",
    "analysis",
    "checks",
    "comments",
    "comment-store",
  ]) {
    const file = scripts.find((script) => script.startsWith(`${name}-`));
    expect([name, file === undefined, atOnce.includes(file ?? "")]).toEqual([name, false, false]);
  }
});
