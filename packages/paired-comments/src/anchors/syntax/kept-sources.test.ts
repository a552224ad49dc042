import { expect, test } from "vitest";
import { readGrammarFile } from "../../grammar-files.ts";
import { createSourceReader } from "./parsers.ts";

const functions = Array.from({ length: 400 }, (_, index) => {
  return `/** Adds. */\nexport function total${index}(a: number) {\n  return a + ${index};\n}\n`;
});
const long = functions.join("\n");
const broken = long.replace("{\n  return a + 7;", "{{{{ (\n  return a + 7;");

test("a long source is read again as a reader that has never seen it reads it", async () => {
  const reader = createSourceReader(readGrammarFile);
  const versions = [
    long,
    `// new\n${long}`,
    broken,
    long.replace("total7(", "sum7("),
    [...functions].reverse().join("\n"),
    "short();\n",
    long,
  ];
  for (const source of versions) {
    // Grammars of another place are not shared.
    const other = createSourceReader((name) => readGrammarFile(name));
    const [read, whole] = [await reader.read("a.ts", source), await other.read("a.ts", source)];
    expect(read.units.map(({ hash, name, first }) => [hash, name, first?.line])).toEqual(
      whole.units.map(({ hash, name, first }) => [hash, name, first?.line]),
    );
    expect(read.hash).toBe(whole.hash);
  }
});
