import { parseArgs } from "node:util";
import { ablate, type Mutant } from "./ablate.ts";
import { CandidateTally } from "./candidate-tally.ts";
import { ElsewhereEvaluation } from "./elsewhere.ts";
import type * as Engine from "./engine.ts";
import { Evaluation } from "./evaluate.ts";
import { languages, taggedPairs } from "./languages.ts";
import { createMethods } from "./method.ts";
import { printMiss } from "./miss.ts";
import { packageSets } from "./packages.ts";
import { pythonPairs } from "./python.ts";
import { tableOf } from "./report.ts";
import { seededRandom } from "./sample.ts";
import { changedFiles, createReader, sourcesOf, type Versioned } from "./sources.ts";
import { Tally } from "./tally.ts";

const usage = `usage: npm run anchors -- [--part <0 to 1>] [--alone] [--misses] [set …]
       npm run anchors -- --ablate [--choose <n>] [--minutes <n>] [--part <0 to 1>] [set …]
sets: ${Object.keys(packageSets).join(" ")}
--alone only our own method, in a fifth of the time
--misses  prints each comment on a wrong line
--ablate  switches off each rule and constant in turn, and prints the comments that need it; without a
          set, on the sources of ablation-files.json
--choose  prints n sources for each rule
--minutes begins no source after so many, 15 by default`;

/** A share of the files, since each is compared with all others. */
const partElsewhere = 0.25;

/** `npm run anchors`: how often comments are located; resolves to the exit code. */
export async function measureAnchors(
  args: readonly string[],
  rules: readonly Rule[],
): Promise<number> {
  const options = {
    part: { type: "string", default: "1" },
    alone: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    ablate: { type: "boolean", default: false },
    choose: { type: "string", default: "0" },
    minutes: { type: "string", default: "15" },
    help: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [part, choose, minutes] = [values.part, values.choose, values.minutes].map(Number) as [
    number,
    number,
    number,
  ];
  const isKnown = positionals.every((name) => Object.hasOwn(packageSets, name));
  const isRight = isKnown && part > 0 && part <= 1 && choose >= 0 && minutes > 0;
  if (values.help || !isRight) {
    console.error(usage);
    return values.help ? 0 : 2;
  }
  if (values.ablate) {
    const mutants = await Promise.all(rules.map(mutantOf));
    return ablate(mutants, { sets: positionals, part, choose, minutes });
  }
  const names = positionals.length > 0 ? positionals : Object.keys(packageSets);
  for (const name of names) await measureSet(name, { ...values, part });
  return 0;
}

/** A bundle without a rule or constant. */
interface Rule {
  readonly name: string;
  readonly module: string;
  /** Does it change how sources are read, rather than where places are found? */
  readonly isOfReading: boolean;
  /** The languages that it is for; undefined for all. */
  readonly languages: RegExp | undefined;
}

async function mutantOf({ name, module, isOfReading, languages }: Rule): Promise<Mutant> {
  const engine = (await import(module)) as typeof Engine;
  const [rule = name] = name.split(" = ");
  const reader = isOfReading ? createReader(engine.createSourceReader) : undefined;
  return { name, rule, engine, reader, languages };
}

interface Measure {
  /** The share of the files, 0 to 1. */
  readonly part: number;
  readonly alone: boolean;
  readonly misses: boolean;
}

async function measureSet(name: string, { part, alone, misses }: Measure): Promise<void> {
  const random = seededRandom(14);
  const reader = createReader();
  const all = createMethods(reader);
  const [tally, renamed, candidates] = [new Tally(), new Tally(), new CandidateTally()];
  const onmiss = misses ? printMiss : undefined;
  const methods = alone ? all.slice(0, 1) : all;
  const evaluation = new Evaluation({ methods, tally, random, onmiss });
  const elsewhere = new ElsewhereEvaluation({ reader, candidates, tally: renamed, random });
  const started = performance.now();
  const language = languages[name];
  for (const versions of packageSets[name] ?? []) {
    if (language !== undefined) {
      const pairs = await taggedPairs(versions, language, () => random() < part);
      for (const pair of pairs) await evaluation.addPair("version", pair.path, pair);
      continue;
    }
    const files = (await changedFiles(versions)).filter(() => random() < part);
    if (name === "python") {
      await addPython(evaluation, files);
      continue;
    }
    for (const file of files) await evaluation.addVersions(...file);
    const [id, old, fresh] = versions;
    const sources = {
      before: await sourcesOf(`${id}@${old}`),
      after: await sourcesOf(`${id}@${fresh}`),
    };
    for (const [path] of files.filter(() => random() < partElsewhere)) {
      await elsewhere.addMoves(path, sources);
      await elsewhere.addRenamedFile(path, sources);
    }
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`\n## ${name} (${seconds} s)\n\n${tableOf(tally, evaluation.methods)}`);
  if (renamed.classes.length === 0) return;
  console.log(`\n${candidates.table()}\n\n${tableOf(renamed, ["idewire"])}`);
}

async function addPython(evaluation: Evaluation, files: readonly Versioned[]): Promise<void> {
  const python = files.filter(([path]) => path.endsWith(".py"));
  const all = pythonPairs(python.map(([, before, after]) => [before, after]));
  for (const [index, pairs] of all.entries()) {
    const [path = ""] = python[index] ?? [];
    for (const { label, pair } of pairs) await evaluation.addPair(label, path, pair);
  }
}
