import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
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

// What a newcomer does not need at once is loaded on demand.
test("the first view of the playground takes at most 48 kB of scripts", () => {
  expect(scripts).toEqual(expect.arrayContaining([...firstView()]));
  expect(firstView().length).toBeGreaterThan(0);
  expect(kilobytes(firstView())).toBeLessThanOrEqual(48);
});

// The rules that editors are checked by are many words, and are loaded by who checks one. All were 260
// kB before regular expressions in a worker, saved filters, saved and held frames, and what else is asked
// of traces, such as the comparison of two sessions; the replay of one took it beyond 287 kB.
test("all scripts of the playground but grammars take at most 288.5 kB, the checks 26 of them", () => {
  const checks = scripts.filter((name) => name.startsWith("checks-"));
  expect(checks).toHaveLength(1);
  expect(kilobytes(checks)).toBeLessThanOrEqual(26);
  expect(kilobytes(scripts.filter((name) => !name.startsWith("grammars-")))).toBeLessThanOrEqual(
    288.5,
  );
});

test("editor, review, frame pane, tours, dialogs, sequence, comparisons and rules are loaded later", () => {
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
  ]) {
    const file = scripts.find((script) => script.startsWith(`${name}-`));
    expect([name, file === undefined, atOnce.includes(file ?? "")]).toEqual([name, false, false]);
  }
});
