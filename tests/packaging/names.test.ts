import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packageNamed } from "./packages.ts";

/** Everyone who learns the packages has to learn each public name; types count as values do. */
const limits = [
  { names: ["core", "http", "node-server"], limit: 260 },
  { names: ["devtools", "paired-comments"], limit: 100 },
  { names: ["codemirror"], limit: 25 },
];

test.each(limits)("$names export at most $limit public names", ({ names, limit }) => {
  const all = names.flatMap((name) => [...publicNames(name)].map((each) => `${name}: ${each}`));
  for (const name of names) console.info(report(name));
  expect(all.length, all.join("\n")).toBeLessThanOrEqual(limit);
});

/** A name in several entries counts once. */
function publicNames(name: string): ReadonlySet<string> {
  const entries = packageNamed(name).entries.filter(({ key }) => !key.startsWith("./internal"));
  return new Set(entries.flatMap(({ source }) => exportedNames(source)));
}

function report(name: string): string {
  const { entries } = packageNamed(name);
  const sizes = entries.map(({ key, source }) => `${key} ${new Set(exportedNames(source)).size}`);
  return `${name}: ${publicNames(name).size} public names (${sizes.join(", ")})`;
}

/** From the source of an entry, which lists each name: the built file has no types. */
function exportedNames(source: string): readonly string[] {
  const text = readFileSync(source, "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) =>
    list.split(",").map((each) => each.replace(/^.*\bas\b|\btype\b/s, "").trim()),
  );
  const declared = [
    ...text.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm),
  ].map(([, each = ""]) => each);
  return [...lists, ...declared].filter((each) => each !== "");
}
