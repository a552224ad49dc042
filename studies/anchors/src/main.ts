import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createSourceReader, type SourceReader } from "@idewire/paired-comments";
import type { UnitTree } from "@idewire/paired-comments/internal";
import { Ablation, type Engine } from "./ablation.ts";
import { CandidateTally } from "./candidate-tally.ts";
import { ElsewhereEvaluation, type PackageVersions } from "./elsewhere.ts";
import { Evaluation } from "./evaluate.ts";
import { createMethods } from "./method.ts";
import { printMiss } from "./miss.ts";
import { fetchPackage, packageSets, type Versions } from "./packages.ts";
import { pythonPairs } from "./python.ts";
import { tableOf } from "./report.ts";
import { seededRandom } from "./sample.ts";
import { Tally } from "./tally.ts";

const usage = `usage: npm run anchors -- [--part <0 to 1>] [--alone] [--misses] [--ablate] [set …]
sets: ${Object.keys(packageSets).join(" ")}
--alone only our own method, in a fifth of the time
--misses  prints each comment on a wrong line
--ablate  switches off each rule and constant in turn, and counts the comments that need it`;

const cache = fileURLToPath(new URL("../.packages", import.meta.url));
const grammars = new URL("../../../packages/paired-comments/dist/grammars/", import.meta.url);
const largestSource = 300_000;
/** A share of the files, since each is compared with all others. */
const partElsewhere = 0.25;

/** `npm run anchors`: how often comments are located; resolves to the exit code. */
export async function measureAnchors(
  args: readonly string[],
  rules: readonly { readonly name: string; readonly module: string }[],
): Promise<number> {
  const options = {
    part: { type: "string", default: "1" },
    alone: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    ablate: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const names = positionals.length > 0 ? positionals : Object.keys(packageSets);
  const part = Number(values.part);
  if (names.some((name) => !Object.hasOwn(packageSets, name)) || !(part > 0 && part <= 1)) {
    console.error(usage);
    return 2;
  }
  const mutants = await Promise.all(
    rules.map(async ({ name, module }) => ({ name, engine: (await import(module)) as Engine })),
  );
  const ablation = values.ablate ? new Ablation(mutants) : undefined;
  for (const name of names) await measureSet(name, { ...values, part, ablation });
  if (ablation !== undefined) console.log(`\n${ablation.table()}`);
  return 0;
}

interface Measure {
  /** The share of the files, 0 to 1. */
  readonly part: number;
  readonly alone: boolean;
  readonly misses: boolean;
  readonly ablation: Ablation | undefined;
}

async function measureSet(name: string, { part, alone, misses, ablation }: Measure): Promise<void> {
  const random = seededRandom(14);
  const reader = withLastTrees(createSourceReader((name) => readFile(new URL(name, grammars))));
  const all = createMethods(reader);
  const [ours] = all;
  const watched = ours && ablation?.around(ours, reader);
  const methods = watched === undefined ? (alone ? all.slice(0, 1) : all) : [watched];
  const [tally, renamed, candidates] = [new Tally(), new Tally(), new CandidateTally()];
  const onmiss = misses ? printMiss : undefined;
  const evaluation = new Evaluation({ methods, tally, random, onmiss });
  const elsewhere = new ElsewhereEvaluation({ reader, candidates, tally: renamed, random });
  const started = performance.now();
  for (const versions of packageSets[name] ?? []) {
    const files = (await changedFiles(versions)).filter(() => random() < part);
    if (name === "python") {
      await addPython(evaluation, files);
      continue;
    }
    for (const file of files) await evaluation.addVersions(...file);
    if (ablation !== undefined) continue;
    const sources = await sourcesOf(versions);
    for (const [path] of files.filter(() => random() < partElsewhere)) {
      await elsewhere.addMoves(path, sources);
      await elsewhere.addRenamedFile(path, sources);
    }
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`\n## ${name} (${seconds} s)\n\n${tableOf(tally, evaluation.methods)}`);
  if (ablation !== undefined || renamed.classes.length === 0) return;
  console.log(`\n${candidates.table()}\n\n${tableOf(renamed, ["idewire"])}`);
}

/** Reads each of the last sources once: all switched-off rules are tried on the same trees. */
function withLastTrees(reader: SourceReader): SourceReader {
  const last = new Map<string, Promise<UnitTree>>();
  return {
    ...reader,
    read(path, source) {
      const known = last.get(path + source);
      if (known !== undefined) return known;
      if (last.size > 4) last.clear();
      const read = reader.read(path, source);
      last.set(path + source, read);
      return read;
    },
  };
}

type Versioned = readonly [path: string, before: string, after: string];

/** The readable sources with the same path in both versions; for JavaScript only changed ones. */
async function changedFiles([name, before, after]: Versions): Promise<readonly Versioned[]> {
  const folders = [
    await fetchPackage(cache, `${name}@${before}`),
    await fetchPackage(cache, `${name}@${after}`),
  ] as const;
  const there = new Set(sourcesIn(folders[1]));
  return sourcesIn(folders[0])
    .filter((path) => there.has(path))
    .map((path): Versioned => {
      const read = (folder: string) => readFileSync(join(folder, path), "utf8");
      return [path, read(folders[0]), read(folders[1])];
    })
    .filter(
      ([path, old, fresh]) => (path.endsWith(".py") || old !== fresh) && old.length < largestSource,
    );
}

/** All readable sources of both versions. */
async function sourcesOf([name, before, after]: Versions): Promise<PackageVersions> {
  const read = async (version: string) => {
    const folder = await fetchPackage(cache, `${name}@${version}`);
    const texts = sourcesIn(folder).map((path) => [path, readFileSync(join(folder, path), "utf8")]);
    return Object.fromEntries(texts.filter(([, text = ""]) => text.length < largestSource));
  };
  return { before: await read(before), after: await read(after) };
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(js|mjs|cjs|ts|py)$/.test(path))
    .filter((path) => !/\.d\.ts$|\.min\.|bundle|(^|\/)(dist|types|node_modules)\//.test(path))
    .sort();
}

async function addPython(evaluation: Evaluation, files: readonly Versioned[]): Promise<void> {
  const python = files.filter(([path]) => path.endsWith(".py"));
  const all = pythonPairs(python.map(([, before, after]) => [before, after]));
  for (const [index, pairs] of all.entries()) {
    const [path = ""] = python[index] ?? [];
    for (const { label, pair } of pairs) await evaluation.addPair(label, path, pair);
  }
}
