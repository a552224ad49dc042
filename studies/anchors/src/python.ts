import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Case, casesOf } from "./oracle/cases.ts";
import type { Pair } from "./oracle/constructed.ts";
import type { Fact } from "./oracle/source-facts.ts";

type Row = readonly [line: number, endLine: number, kind: string, path: string, text: string];

interface PythonFacts {
  readonly facts: readonly Row[];
  readonly printed: string;
  readonly printedFacts: readonly Row[];
}

const script = fileURLToPath(new URL("../src/oracle/python-facts.py", import.meta.url));

/** The facts of Python's own `ast` for each source; undefined for one that it cannot parse. */
function readAll(sources: readonly string[]): readonly (PythonFacts | undefined)[] {
  const { stdout, status, stderr } = spawnSync("python3", [script], {
    input: JSON.stringify(sources),
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`python3 is needed as the oracle: ${stderr}`);
  const all = JSON.parse(stdout) as readonly (PythonFacts | null)[];
  return all.map((facts) => facts ?? undefined);
}

/** Two versions of Python sources: unchanged, formatted by `ast.unparse`, and both. */
export function pythonPairs(
  versions: readonly (readonly [before: string, after: string])[],
): readonly (readonly { readonly label: string; readonly pair: Pair }[])[] {
  const read = readAll(versions.flat());
  return versions.map(([before, after], index) => {
    const old = read[2 * index];
    const fresh = read[2 * index + 1];
    if (old === undefined || fresh === undefined) return [];
    const facts = toFacts(old.facts, before);
    const printed = oneToOne(facts, old.printedFacts);
    const cases = casesOf(facts, toFacts(fresh.facts, after));
    const moved = cases.map((each) => ({ ...each, expected: linesOf(fresh.printedFacts, each) }));
    const pairs = [
      { label: "Python", pair: { before, after: old.printed, cases: printed } },
      ...(before === after ? [] : [{ label: "Python version", pair: { before, after, cases } }]),
      ...(before === after || fresh.facts.length !== fresh.printedFacts.length
        ? []
        : [
            {
              label: "Python version + unparse",
              pair: { before, after: fresh.printed, cases: moved },
            },
          ]),
    ];
    return pairs;
  });
}

function oneToOne(facts: readonly Fact[], printed: readonly Row[]): readonly Case[] {
  if (facts.length !== printed.length) return [];
  return facts.flatMap(({ line, endLine, isFirstOnLine }, index) => {
    const [freshLine = 0, freshEnd = 0] = printed[index] ?? [];
    const expected = { line: freshLine, endLine: freshEnd };
    return isFirstOnLine ? [{ class: "unparse", line, endLine, expected }] : [];
  });
}

function linesOf(printed: readonly Row[], { fact = -1 }: Case): Case["expected"] {
  const row = printed[fact];
  return row === undefined ? undefined : { line: row[0], endLine: row[1] };
}

/** Only statements: their neighbours have the same path. */
function toFacts(rows: readonly Row[], source: string): readonly Fact[] {
  const lines = source.split("\n");
  const lastOf = new Map<string, number>();
  const seen = new Set<number>();
  const facts: Fact[] = [];
  for (const [line, endLine, kind, path, text] of rows) {
    const index = facts.length;
    const before = lastOf.get(path) ?? -1;
    lastOf.set(path, index);
    const previous = facts[before];
    if (previous !== undefined) previous.after = index;
    const isFirstOnLine = !seen.has(line) && lines[line - 1]?.trim() !== "";
    seen.add(line);
    facts.push({
      kind,
      isDeclaration: false,
      path,
      name: "",
      line,
      endLine,
      isFirstOnLine,
      start: 0,
      end: 0,
      text,
      body: "",
      before,
      after: -1,
      isTopLevel: path === "",
    });
  }
  return facts;
}
