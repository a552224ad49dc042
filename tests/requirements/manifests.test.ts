import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { citedIds } from "./cited.ts";
import { claudeCli } from "./claude-cli.ts";
import { playground } from "./playground.ts";
import { plugin } from "./plugin.ts";
import { seed000 } from "./seed-000.ts";
import { seed001 } from "./seed-001.ts";
import { seed002 } from "./seed-002.ts";
import { seed003 } from "./seed-003.ts";
import { seed004 } from "./seed-004.ts";
import {
  lines,
  seed000Outline,
  seed001Outline,
  seed002Outline,
  seed003Outline,
  seed004Outline,
} from "./seed-outline.ts";

/** The sections of a page on what a client does, as ids spell them: neither its versions nor its use with idewire. */
function sectionsOf(name: string): readonly string[] {
  const page = readFileSync(new URL(`../../docs/clients/${name}`, import.meta.url), "utf8");
  return [...page.matchAll(/^## (?!Versions$|With idewire$)(.+)$/gm)].map(([, title = ""]) => {
    return title.toLowerCase().replaceAll(" ", "-");
  });
}

const seedSource = /^\d+(-\d+)?( \d+(-\d+)?)*$/;

/** `points` are the sections that the ids name; `source` is where a statement is from. */
const manifests = [
  { prefix: "cli", statements: claudeCli, points: sectionsOf("claude-code.md"), source: /./ },
  { prefix: "plugin", statements: plugin, points: [..."123456789", "bad", "peers"], source: /./ },
  {
    prefix: "playground",
    statements: playground,
    points: [..."1234567", "built", "bad"],
    source: /./,
  },
  { prefix: "s0", statements: seed000, outline: seed000Outline, source: seedSource },
  { prefix: "s1", statements: seed001, outline: seed001Outline, source: seedSource },
  { prefix: "s2", statements: seed002, outline: seed002Outline, source: seedSource },
  { prefix: "s3", statements: seed003, outline: seed003Outline, source: seedSource },
  { prefix: "s4", statements: seed004, outline: seed004Outline, source: seedSource },
];

describe.each(manifests)("$prefix", ({ prefix, statements, points, source, outline }) => {
  const cited = citedIds(prefix);
  const provable = statements.filter(({ reason }) => reason === undefined).map(({ id }) => id);

  test(`${provable.length} of ${statements.length} statements are proven, the rest have a reason`, () => {
    expect(provable.filter((id) => !cited.has(id))).toEqual([]);
    for (const { id, reason } of statements) expect(reason, id).not.toBe("");
  });

  test("no test cites an unknown or excused statement", () => {
    expect([...cited].filter((id) => !provable.includes(id))).toEqual([]);
  });

  test("every statement has an id of its own, a source and a behaviour", () => {
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
    const point = points === undefined ? "" : `:(${points.join("|")})`;
    for (const statement of statements) {
      expect(statement.id).toMatch(new RegExp(`^${prefix}${point}:[a-z0-9-]+$`));
      expect(statement.source, statement.id).toMatch(source);
      const [section = ""] = statement.source.toLowerCase().replaceAll(" ", "-").split(",-");
      if (points?.includes(section)) expect(statement.id.split(":")[1]).toBe(section);
      expect(statement.behaviour, statement.id).not.toBe("");
    }
  });

  if (points !== undefined) {
    test("every point has a statement that is proven", () => {
      const proven = new Set([...cited].map((id) => id.split(":")[1]));
      expect(points.filter((point) => !proven.has(point))).toEqual([]);
    });
  }

  if (outline !== undefined) {
    test("no row, block or item of the seed is left out", () => {
      const covered = new Set(statements.flatMap((statement) => lines(statement.source)));
      const all = Object.values(outline).flat();
      expect(all.filter((line) => !covered.has(line))).toEqual([]);
    });
  }
});
