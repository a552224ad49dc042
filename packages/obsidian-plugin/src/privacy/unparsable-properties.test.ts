import type { CachedMetadata, SectionCache, TFile } from "obsidian";
import { expect, test } from "vitest";
import { isUnparsable, UnparsableProperties } from "./unparsable-properties.ts";

function yaml(lastLine: number): CachedMetadata {
  const [start, end] = [0, lastLine].map((line) => ({ line, col: 0, offset: 0 }));
  return { sections: [{ type: "yaml", position: { start, end } } as SectionCache] };
}

test("properties that Obsidian lists without content are those that it could not parse", () => {
  expect(isUnparsable(yaml(3))).toBe(true);
  expect(isUnparsable(yaml(1))).toBe(false);
  expect(isUnparsable({ ...yaml(3), frontmatter: { a: 1 } })).toBe(false);
  expect(isUnparsable({})).toBe(false);
});

test.each([
  ["---\nagent: false\ntags: [a\n---\ntext", true],
  ["---\n\t AGENT : no\n---\n", true],
  ['---\n"\\u0061gent": false\n: :\n---\n', true],
  ["---\ntags: [a\n---\nThe agent: false alarm.\n", false],
])("%j may exclude its note: %s; it does until it is read", async (text, expected) => {
  const changes: boolean[] = [];
  const file = { path: "a.md", stat: { mtime: 1 } } as TFile;
  const properties: UnparsableProperties = new UnparsableProperties(
    { cachedRead: async () => text },
    () => changes.push(properties.mayExclude(file)),
  );
  expect(properties.mayExclude(file)).toBe(true);
  await expect.poll(() => changes).toEqual([expected]);
  expect(properties.mayExclude({ ...file, stat: { ...file.stat, mtime: 2 } })).toBe(true);
});
