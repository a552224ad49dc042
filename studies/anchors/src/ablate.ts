import { readFileSync } from "node:fs";
import { Ablation, type AblationCase, type AblationPair, type Mutant } from "./ablation.ts";
import * as engine from "./engine.ts";
import { type Case, casesOf, groupBy } from "./oracle/cases.ts";
import { lineCases } from "./oracle/line-cases.ts";
import { factsOf } from "./oracle/source-facts.ts";
import { packageSets, type Versions } from "./packages.ts";
import { sample, seededRandom } from "./sample.ts";
import { changedFiles, createReader, type Versioned } from "./sources.ts";

export type { Mutant } from "./ablation.ts";

/** Comments of a class and source: fewer of those on lines that have not changed. */
const mostOfClass = 12;
const mostUnchanged = 3;
/** The number of comments on the fixed sources that suffices to show that a rule is needed. */
const enough = 1;
const progressEveryMs = 10_000;

export interface AblateOptions {
  /** Names of sets of packages; without any, the sources of `ablation-files.json`. */
  readonly sets: readonly string[];
  /** The share of the files of each set, 0 to 1. */
  readonly part: number;
  /** How many sources to print for each rule; 0 for none. */
  readonly choose: number;
  /** No source is started after this many minutes. */
  readonly minutes: number;
}

/** Prints the comments that need each rule or constant; resolves to 1 if none needs one of them. */
export async function ablate(
  mutants: readonly Mutant[],
  { sets, part, choose, minutes }: AblateOptions,
): Promise<number> {
  const most = sets.length > 0 ? undefined : enough;
  const ablation = new Ablation(createReader(), engine, mutants, most);
  const started = performance.now();
  let shown = started;
  let pairs = 0;
  for await (const pair of sets.length > 0 ? pairsOf(sets, part) : fixedPairs()) {
    if (performance.now() - started > minutes * 60_000) {
      console.log(`stopped after ${minutes} minutes, at ${pair.name}`);
      break;
    }
    await ablation.add(pair);
    pairs++;
    if (performance.now() < shown + progressEveryMs) continue;
    shown = performance.now();
    const seconds = Math.round((shown - started) / 1000);
    console.error(`${seconds} s: ${pairs} sources, ${ablation.cases} comments, at ${pair.name}`);
  }
  console.log(`${mutants.length} rules, ${pairs} sources, ${ablation.cases} comments\n`);
  console.log(ablation.table());
  if (choose > 0) console.log(JSON.stringify([...ablation.chosen(choose)].sort(), null, 2));
  const { unneeded } = ablation;
  if (unneeded.length > 0) console.log(`\nno comment needs: ${unneeded.join(", ")}`);
  return unneeded.length > 0 ? 1 : 0;
}

async function* pairsOf(sets: readonly string[], part: number): AsyncIterable<AblationPair> {
  const random = seededRandom(14);
  for (const versions of sets.flatMap((set) => packageSets[set] ?? [])) {
    for (const file of await changedFiles(versions, isSource)) {
      if (random() < part) yield pairOf(versions, file);
    }
  }
}

function isSource(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|go|rs|java|c|h|cc|cpp|cs|rb|php|sh|css)$/.test(path);
}

interface SmallCase {
  readonly name: string;
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly on: string;
  readonly want: string | null;
  readonly end?: string;
  readonly wantEnd?: string;
  readonly status?: AblationCase["status"];
}

const smallCases = new URL(
  "../../../packages/paired-comments/src/anchors/testing/cases.json",
  import.meta.url,
);
const fixedFiles = new URL("../ablation-files.json", import.meta.url);

/** The small cases, and files of packages as `name before after path`. */
async function* fixedPairs(): AsyncIterable<AblationPair> {
  for (const each of JSON.parse(readFileSync(smallCases, "utf8")) as readonly SmallCase[]) {
    yield smallPair(each);
  }
  const files = JSON.parse(readFileSync(fixedFiles, "utf8")) as readonly string[];
  const byVersions = groupBy(files, (name) => name.split(" ").slice(0, 3).join(" "));
  for (const [key, names] of byVersions) {
    const [name = "", before = "", after = ""] = key.split(" ");
    const versions: Versions = [name, before, after];
    const paths = new Set(names.map((each) => each.slice(key.length + 1)));
    for (const file of await changedFiles(versions, (path) => paths.has(path))) {
      yield pairOf(versions, file);
    }
  }
}

function smallPair({ name, file: path, before, after, ...each }: SmallCase): AblationPair {
  const rangeIn = (source: string, on: string, end = on) => ({
    line: lineOf(source, on),
    endLine: lineOf(source, end),
  });
  const { on, want, end, wantEnd, status } = each;
  const expected = want === null ? undefined : rangeIn(after, want, wantEnd);
  return { name, path, before, after, cases: [{ ...rangeIn(before, on, end), expected, status }] };
}

function lineOf(source: string, text: string): number {
  return source.split("\n").findIndex((line) => line.includes(text)) + 1;
}

/** Comments on declarations and statements by TypeScript's compiler, and on lines of any language. */
function pairOf(versions: Versions, [path, before, after]: Versioned): AblationPair {
  const random = seededRandom(7);
  const byCompiler = /\.[cm]?[jt]s$/.test(path)
    ? casesOf(factsOf(path, before), factsOf(path, after))
    : [];
  const byClass = groupBy<Case>([...byCompiler, ...lineCases(before, after)], (e) => e.class);
  const cases = [...byClass].flatMap(([name, group]) =>
    sample(group, name.endsWith("_same") ? mostUnchanged : mostOfClass, random),
  );
  return { name: [...versions, path].join(" "), path, before, after, cases };
}
