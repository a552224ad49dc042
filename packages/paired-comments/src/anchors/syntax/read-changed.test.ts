import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Language as Grammar, Parser } from "web-tree-sitter";
import { readGrammarFile } from "../../grammar-files.ts";
import type { UnitTree } from "../units/unit.ts";
import { languageOf } from "./languages.ts";
import { readChangedUnits, reparse } from "./read-changed.ts";
import { type ReadUnits, readUnits } from "./read-units.ts";
import { withCursor } from "./source-cache.ts";

/** Declarations that can stand in any order, with what they say over several lines. */
const declarations: Readonly<Record<string, readonly string[]>> = {
  "a.ts": [
    "export class Auth {\r\n  check(a: string) {\r\n    return `a\r\n🦆`;\r\n  }\r\n}",
    "/** Why. */\nexport const run = (a = 1) => a;",
    "function stop() {\n  if (a) go();\n  else b();\n}",
    "// line",
    "export default 1;",
    "a < b > (c);",
    ";",
  ],
  "a.py": [
    "def run(a):\n    if a:\n        return 1\n",
    "class A:\n    x = '''\n    y'''\n",
    "# why\n",
  ],
  "a.css": ["a { color: red; }", "/* why */", "@media print {\n  b > c { top: 0 }\n}"],
  "a.yaml": ["a: 1", "b:\n  - c\n  - d: |\n      text", "# why"],
};

const parsers = new Map<string, Parser>();

beforeAll(async () => {
  await Parser.init({ wasmBinary: await readGrammarFile("web-tree-sitter.wasm") });
  for (const path of Object.keys(declarations)) {
    const name = `tree-sitter-${languageOf(path)?.grammar}.wasm`;
    const grammar = await Grammar.load(await readGrammarFile(name));
    parsers.set(path, new Parser().setLanguage(grammar));
  }
});

afterAll(() => {
  for (const parser of parsers.values()) parser.delete();
});

/** All of a tree, without its cycles. */
function plain({ tree, nodes }: ReadUnits): unknown {
  const { units, tokens, ...rest }: UnitTree = tree;
  return {
    ...rest,
    nodes,
    units: units.map(({ parent, children, tokens: own, first, last, ...unit }) => ({
      ...unit,
      parent: parent?.index,
      children: children.map(({ index }) => index),
      tokens: [...own, first, last].map((token) => token?.start),
    })),
    tokens: tokens.map(({ unit, ...token }) => ({ ...token, unit: unit.index })),
  };
}

/** Versions of a source: lines and characters come and go. */
const edits = fc.array(
  fc.record({
    at: fc.nat(),
    length: fc.nat(4),
    text: fc.constantFrom("", "", " ", "\n", "x", "a"),
  }),
  { minLength: 1, maxLength: 4 },
);

type Versions = [string[], string[], { at: number; length: number; text: string }[]];

/** A letter more, and the parser takes what is far before it for something else. */
const examples: Readonly<Record<string, Versions[]>> = {
  "a.ts": [
    [
      ["function stop() {\n  if (a) go();\n  else b();\n}", "// line", ";"],
      [],
      [{ at: 55, length: 0, text: "x" }],
    ],
  ],
};

test.each(Object.keys(declarations))("a change of %s is read as the whole is", async (path) => {
  const parser = parsers.get(path);
  const language = languageOf(path);
  if (parser === undefined || language === undefined) throw new Error("There is no grammar");
  const all = fc.array(fc.constantFrom(...(declarations[path] ?? [])), { maxLength: 8 });
  let compared = 0;
  const property = fc.property(all, all, edits, (first, second, changes) => {
    const versions = [first.join("\n"), [...first, ...second].join("\n")];
    for (const { at, length, text } of changes) {
      const last = versions.at(-1) ?? "";
      const from = at % (last.length + 1);
      versions.push(last.slice(0, from) + text + last.slice(from + length));
    }
    let source = versions[0] ?? "";
    let tree = parser.parse(source);
    if (tree === null || tree.rootNode.hasError) return tree?.delete();
    let read = withCursor(tree, (cursor) => readUnits({ source, cursor, language }));
    for (const next of versions.slice(1)) {
      const reparsed = reparse({ source, tree, read }, next, parser);
      if (reparsed === undefined) continue;
      const earlier = { source, read };
      const changed = withCursor(reparsed.tree, (cursor) =>
        readChangedUnits({ source: next, cursor, language }, earlier, reparsed.changed),
      );
      const whole = parser.parse(next);
      if (whole === null || changed === undefined) throw new Error("It was not read");
      const expected = withCursor(whole, (cursor) => readUnits({ source: next, cursor, language }));
      expect(plain(changed)).toEqual(plain(expected));
      compared++;
      whole.delete();
      tree.delete();
      [source, tree, read] = [next, reparsed.tree, changed];
    }
    tree.delete();
  });
  fc.assert(property, { numRuns: 25, examples: examples[path] ?? [] });
  expect(compared).toBeGreaterThan(5);
});
