import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { readGrammarFile } from "../../grammar-files.ts";
import { createSourceReader } from "./parsers.ts";

const functions = Array.from({ length: 400 }, (_, index) => {
  return `/** Adds. */\nexport function total${index}(a: number) {\n  return a + ${index};\n}\n`;
});
const long = functions.join("\n");
const broken = long.replace("{\n  return a + 7;", "{{{{ (\n  return a + 7;");

test("a long source is read again as a fresh reader reads it", async () => {
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

test("earlier versions of a long source that is edited in many places are not retained", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const bytesInUse = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const reader = createSourceReader((name) => readGrammarFile(name));
  const texts = Array.from({ length: 600 }, () => `// ${"x".repeat(1_500)}\n`).join("");
  const source = (edits: number) => {
    const names = functions.map((text, index) =>
      index < edits ? text.replace("total", "aLongerNameForTheTotal") : text,
    );
    return names.join("\n") + texts;
  };
  await reader.read("b.ts", source(0));
  await reader.read("b.ts", source(1));
  const before = bytesInUse();
  for (let edits = 2; edits <= 30; edits++) await reader.read("b.ts", source(edits));
  // Each version has a megabyte.
  expect(bytesInUse() - before).toBeLessThan(8_000_000);
});
