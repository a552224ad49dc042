import { describe, expect, test } from "vitest";
import { citedIds } from "./cited.ts";
import { seed000 } from "./seed-000.ts";
import { seed001 } from "./seed-001.ts";
import { seed002 } from "./seed-002.ts";
import { lines, seed000Outline, seed001Outline, seed002Outline } from "./seed-outline.ts";

const seeds = [
  { name: "seed 000", prefix: "s0", statements: seed000, outline: seed000Outline },
  { name: "seed 001", prefix: "s1", statements: seed001, outline: seed001Outline },
  { name: "seed 002", prefix: "s2", statements: seed002, outline: seed002Outline },
];

describe.each(seeds)("$name", ({ prefix, statements, outline }) => {
  const cited = citedIds(prefix);
  const provable = statements.filter(({ reason }) => reason === undefined).map(({ id }) => id);

  test(`${provable.length} of ${statements.length} statements are proven, the rest say why not`, () => {
    expect(provable.filter((id) => !cited.has(id))).toEqual([]);
    for (const { id, reason } of statements) expect(reason, id).not.toBe("");
  });

  test("no test cites what the manifest does not know, or excuses", () => {
    expect([...cited].filter((id) => !provable.includes(id))).toEqual([]);
  });

  test("every statement has an id of its own, lines of the seed and a behaviour", () => {
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
    for (const { id, source, behaviour } of statements) {
      expect(id).toMatch(new RegExp(`^${prefix}:[a-z0-9-]+$`));
      expect(source, id).toMatch(/^\d+(-\d+)?( \d+(-\d+)?)*$/);
      expect(behaviour, id).not.toBe("");
    }
  });

  const { rows, blocks, items } = outline;
  const count = `${rows.length} rows, ${blocks.length} blocks and ${items.length} items`;
  test(`none of the seed's ${count} is left out`, () => {
    const covered = new Set(statements.flatMap(({ source }) => lines(source)));
    const open = [...rows, ...blocks, ...items].filter((line) => !covered.has(line));
    expect(open).toEqual([]);
  });
});
