import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What obsidian.d.ts declares as values: classes with their public members, and the rest. */
export interface Declared {
  readonly classes: Readonly<Record<string, readonly string[]>>;
  readonly values: readonly string[];
}

export function readDeclared(): Declared {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve("obsidian/package.json"));
  const text = readFileSync(join(folder, "obsidian.d.ts"), "utf8").replace(
    /\/\*\*[\s\S]*?\*\//g,
    "",
  );
  const classes: Record<string, readonly string[]> = {};
  for (const [, name, body] of text.matchAll(
    /^export (?:abstract )?class (\w+)[^{]*\{\n([\s\S]*?)^\}/gm,
  )) {
    if (name !== undefined) classes[name] = membersOf(body ?? "");
  }
  const values = [...text.matchAll(/^export (?:let|const|function|enum) (\w+)/gm)];
  return { classes, values: values.map(([, name]) => name ?? "") };
}

/** Methods only: a missing property is visible as undefined wherever it is read. */
function membersOf(body: string): string[] {
  const methods = body.matchAll(/^ {4}(?:(?:abstract|protected) )*(\w+)(?:<[^(]*>)?\(/gm);
  const names = [...methods].map(([, name]) => name ?? "");
  return [...new Set(names)].filter((name) => name !== "constructor");
}
