import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createSourceReader } from "@idewire/paired-comments";
import { readGrammarFile } from "@idewire/paired-comments/node";
import { Linter } from "eslint";
import { expect, test } from "vitest";

const { resolve } = createRequire(import.meta.url);

/** Published sources of installed packages. */
function realFiles(): readonly string[] {
  const packages = [
    "ws",
    "markdown-it",
    "moment",
    "yaml",
    "eslint",
    "axe-core",
    "events",
    "buffer",
  ];
  return packages
    .map((name) => dirname(resolve(`${name}/package.json`)))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter(
          (path) => /^(lib|dist|src|index)\b.*\.(js|cjs)$/.test(path) && !path.includes(".min."),
        )
        .map((path) => join(folder, path)),
    )
    .filter((path) => readFileSync(path).byteLength < 100_000)
    .slice(0, 160);
}

/** The complexity of each function by ESLint's rule, sorted. */
function byEslint(source: string): readonly number[] | undefined {
  const linter = new Linter({ configType: "flat" });
  for (const sourceType of ["commonjs", "module"] as const) {
    const messages = linter.verify(
      source,
      { rules: { complexity: ["error", 0] }, languageOptions: { sourceType } },
      { allowInlineConfig: false },
    );
    if (messages.some(({ fatal }) => fatal)) continue;
    return messages
      .map(({ message }) => message)
      .filter((message) => !/^Class (field|static)/.test(message))
      .map((message) => Number(/complexity of (\d+)/.exec(message)?.[1]))
      .sort((a, b) => a - b);
  }
  return undefined;
}

test("the complexity of functions is that of ESLint's rule, in 99.9 of 100 at least", async () => {
  const reader = createSourceReader(readGrammarFile);
  let [files, all, same] = [0, 0, 0];
  for (const path of realFiles()) {
    const source = readFileSync(path, "utf8");
    const expected = byEslint(source);
    if (expected === undefined) continue;
    const found = await reader.functions("a.js", source);
    const counts = found.map(({ complexity }) => complexity).sort((a, b) => a - b);
    files++;
    all += expected.length;
    const rest = new Map<number, number>();
    for (const count of counts) rest.set(count, (rest.get(count) ?? 0) + 1);
    for (const count of expected) {
      const left = rest.get(count) ?? 0;
      if (left > 0) same++;
      rest.set(count, left - 1);
    }
  }
  expect(files).toBeGreaterThanOrEqual(100);
  expect(same / all).toBeGreaterThanOrEqual(0.999);
});
