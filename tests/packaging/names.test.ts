import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packageNamed } from "./packages.ts";

/** A public name costs everybody who learns the packages; types count as values do. */
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

/** A name of several entries is one: it is learned once. */
function publicNames(name: string): ReadonlySet<string> {
  const entries = packageNamed(name).entries.filter(({ key }) => !key.startsWith("./internal"));
  return new Set(entries.flatMap(({ source }) => exportedNames(source)));
}

function report(name: string): string {
  const { entries } = packageNamed(name);
  const sizes = entries.map(({ key, source }) => `${key} ${new Set(exportedNames(source)).size}`);
  return `${name}: ${publicNames(name).size} public names (${sizes.join(", ")})`;
}

/** Of an entry's source, which lists each name: the built file has no types. */
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
