import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { citedIds } from "./cited.ts";
import { claudeCli } from "./claude-cli.ts";

const page = readFileSync(new URL("../../docs/clients/claude-code.md", import.meta.url), "utf8");
const cited = citedIds("cli");

test("every statement has an id of its own, a source and a behaviour", () => {
  const ids = claudeCli.map((statement) => statement.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, source, behaviour } of claudeCli) {
    const [section = ""] = source.split(", ");
    expect(id).toMatch(
      new RegExp(`^cli:${section.toLowerCase().replaceAll(" ", "-")}:[a-z0-9-]+$`),
    );
    expect(page, id).toContain(`\n## ${section}\n`);
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
