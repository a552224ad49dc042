import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { claudeCli } from "./claude-cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist") return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /(?<!claude-cli)\.test\.ts$/.test(entry.name) ? [path] : [];
  });
}

const cited = new Set(
  [join(root, "tests"), join(root, "packages")]
    .flatMap(testFiles)
    .flatMap((path) => readFileSync(path, "utf8").match(/"cli:\d:[a-z0-9-]+"/g) ?? [])
    .map((quoted) => quoted.slice(1, -1)),
);

test("every statement has an id of its own, a source and a behaviour", () => {
  const ids = claudeCli.map((statement) => statement.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, source, behaviour } of claudeCli) {
    expect(id).toMatch(/^cli:[1-6]:[a-z0-9-]+$/);
    expect(source.startsWith(id.slice(4, 5)), id).toBe(true);
    expect(behaviour, id).not.toBe("");
  }
});

test("every statement is proven by a test, or says why none can", () => {
  const open = claudeCli.filter(({ id, reason }) => reason === undefined && !cited.has(id));
  expect(open.map(({ id }) => id)).toEqual([]);
});

test("no test cites what the manifest does not know, or excuses", () => {
  const provable = claudeCli.filter(({ reason }) => reason === undefined).map(({ id }) => id);
  expect([...cited].filter((id) => !provable.includes(id))).toEqual([]);
});
