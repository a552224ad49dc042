import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { allDialects } from "@idewire/core";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** The ids of all families, and the names that their agents send. */
const names = [
  ...allDialects.flatMap(({ id, agent }) => [id, ...(agent === undefined ? [] : [agent.name])]),
  ...["neovim", "jetbrains", "opencode"],
];
const quoted = `["'\`](?:${names.join("|")})["'\`]`;
/** Patterns of a comparison with a name, a list or table of names, or a test of a dialect's identity. */
const conditions = [
  new RegExp(quoted, "i"),
  /\b(?:dialect|family)\w*(?:\.id)?\s*[!=]==/,
  /[!=]==\s*(?:claudeCode|gemini|qwen|copilot|codex|neovim|jetbrains)\b/,
];

test("no code here depends on the name of a family: dialects contain the differences", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  const isCondition = (line: string) => conditions.some((condition) => condition.test(line));
  expect(
    ["if (dialect.id === other) {", 'case "gemini":', "x === copilot"].every(isCondition),
  ).toBe(true);
  const found = files.flatMap((name) => {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    return lines
      .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line))
      .filter(isCondition)
      .map((line) => `${name}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});
