import type {
  makeAnchor,
  outlineOf,
  Resolution,
  resolveAnchors,
  SourceReader,
} from "@idewire/paired-comments";
import type { Lines } from "./method.ts";

/** Anchors comments, and finds their places in another version. */
interface Engine {
  readonly makeAnchor: typeof makeAnchor;
  readonly outlineOf: typeof outlineOf;
  readonly resolveAnchors: typeof resolveAnchors;
}

/** The package with one rule or constant switched off. */
export interface Mutant {
  readonly name: string;
  /** The mutants of a constant, 0 and infinite, belong to one rule. */
  readonly rule: string;
  readonly engine: Engine;
  /** Reads sources without a rule of reading; undefined for a rule of places, which needs no other units. */
  readonly reader: SourceReader | undefined;
  /** The languages that the rule applies to; undefined for all. */
  readonly languages: RegExp | undefined;
}

/** A comment, and where it belongs: nowhere, if its code is gone. */
export type AblationCase = Lines & {
  readonly expected: Lines | undefined;
  /** The status that it must have there; any if undefined. */
  readonly status?: Resolution["status"] | undefined;
};

/** A source in two versions, with comments on the older one. */
export interface AblationPair {
  readonly name: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly cases: readonly AblationCase[];
}

interface Effect {
  /** The comments that are located worse without the rule, by source. */
  readonly needed: Map<string, string[]>;
  /** Those that are located better without it. */
  readonly harmed: Map<string, string[]>;
}

/** Finds, for each rule and constant, the comments that are located better with it, and only without it. */
export class Ablation {
  readonly #reader: SourceReader;
  readonly #whole: Engine;
  readonly #enough: number;
  readonly #effects: ReadonlyMap<Mutant, Effect>;
  #cases = 0;

  /**
   * @param whole with all rules
   * @param enough a rule needed by this many comments is not switched off for further sources
   */
  constructor(
    reader: SourceReader,
    whole: Engine,
    mutants: readonly Mutant[],
    enough: number = Number.POSITIVE_INFINITY,
  ) {
    this.#enough = enough;
    this.#reader = reader;
    this.#whole = whole;
    this.#effects = new Map(
      mutants.map((each) => [each, { needed: new Map(), harmed: new Map() }]),
    );
  }

  /** The number of comments so far. */
  get cases(): number {
    return this.#cases;
  }

  /** Both versions are read once for all rules of places, which resolve the same anchors. */
  async add(pair: AblationPair): Promise<void> {
    const { name, cases } = pair;
    if (cases.length === 0) return;
    this.#cases += cases.length;
    const whole = await readPair(pair, this.#whole, this.#reader);
    const found = placesIn(whole, this.#whole);
    for (const [{ engine, reader, languages }, effect] of this.#effects) {
      if (languages?.test(whole.fresh.language) === false) continue;
      if (sizeOf(effect.needed) >= this.#enough) continue;
      const other = await placesWithout(pair, engine, reader, whole);
      for (const [index, each] of cases.entries()) {
        const [rank, without] = [rankOf(each, found[index]), rankOf(each, other[index])];
        if (rank === without) continue;
        const to = placeOf((rank > without ? other : found)[index]);
        const group = rank > without ? effect.needed : effect.harmed;
        group.set(name, [...(group.get(name) ?? []), `${each.line} → ${to}`]);
      }
    }
  }

  /** A row for each rule: how many comments need it, how many it misplaces, and the first examples. */
  table(): string {
    const rows = [...this.#effects].map(([{ name }, { needed, harmed }]) => {
      const examples = [
        ...examplesOf(needed, 3),
        ...examplesOf(harmed, 2).map((e) => `harm: ${e}`),
      ];
      return `| ${name} | ${sizeOf(needed)} | ${sizeOf(harmed)} | ${examples.join("; ")} |`;
    });
    return [
      "| switched off | needed by | harms | for example |",
      "| --- | --- | --- | --- |",
      ...rows,
    ].join("\n");
  }

  /** The rules that no comment needs; for a constant, neither as 0 nor as infinite. */
  get unneeded(): readonly string[] {
    const needed = new Set<string>();
    for (const [{ rule }, effect] of this.#effects) if (effect.needed.size > 0) needed.add(rule);
    return [...new Set([...this.#effects.keys()].map(({ rule }) => rule))].filter(
      (rule) => !needed.has(rule),
    );
  }

  /** A selection of sources with some for each rule. */
  chosen(each: number): readonly string[] {
    const chosen = new Set<string>();
    for (const { needed, harmed } of this.#effects.values()) {
      for (const group of [needed, harmed]) {
        const there = [...group.keys()].filter((name) => chosen.has(name)).length;
        const others = [...group.keys()].filter((name) => !chosen.has(name));
        for (const name of others.slice(0, Math.max(0, each - there))) chosen.add(name);
      }
    }
    return [...chosen];
  }
}

/** The comments on a source as stored, and its other version. */
interface ReadPair {
  readonly stored: string;
  readonly fresh: Awaited<ReturnType<SourceReader["read"]>>;
}

async function readPair(
  { path, before, after, cases }: AblationPair,
  { makeAnchor, outlineOf }: Engine,
  reader: SourceReader,
): Promise<ReadPair> {
  const tree = await reader.read(path, before);
  const anchored = cases.map((range) => ({ ...range, anchor: makeAnchor(tree, range) }));
  const stored = JSON.stringify({ outline: outlineOf(tree), anchored });
  return { stored, fresh: await reader.read(path, after) };
}

/** The places of the comments without a rule; all are orphans if that throws, as some conditions guard others. */
async function placesWithout(
  pair: AblationPair,
  engine: Engine,
  reader: SourceReader | undefined,
  whole: ReadPair,
): Promise<readonly Resolution[]> {
  try {
    return placesIn(reader === undefined ? whole : await readPair(pair, engine, reader), engine);
  } catch {
    return [];
  }
}

function placesIn({ stored, fresh }: ReadPair, { resolveAnchors }: Engine) {
  const { outline, anchored } = JSON.parse(stored) as Stored;
  return resolveAnchors(outline, anchored, fresh);
}

interface Stored {
  readonly outline: ReturnType<typeof outlineOf>;
  readonly anchored: readonly (Lines & { readonly anchor: ReturnType<typeof makeAnchor> })[];
}

/** 2 for the right answer, 1 for a guess or an orphan, 0 for a wrong place without the mark of a guess. */
function rankOf({ line, endLine, expected, status }: AblationCase, found?: Resolution): number {
  const isLost = found === undefined || found.status === "orphaned";
  if (isLost) return expected === undefined ? 2 : 1;
  const isGuess = found.status === "ambiguous";
  if (found.line !== expected?.line) return isGuess ? 1 : 0;
  if (status !== undefined && status !== found.status) return isGuess ? 1 : 0;
  return endLine > line && found.endLine !== expected.endLine ? 0 : 2;
}

function placeOf(found: Resolution | undefined): string {
  if (found === undefined || found.status === "orphaned") return "orphan";
  const end = found.endLine === undefined ? "" : `-${found.endLine}`;
  return `${found.line}${end} ${found.status}`;
}

function sizeOf(group: ReadonlyMap<string, readonly string[]>): number {
  return [...group.values()].reduce((sum, { length }) => sum + length, 0);
}

function examplesOf(group: ReadonlyMap<string, readonly string[]>, most: number) {
  return [...group].slice(0, most).map(([name, [first = ""]]) => `${name}:${first}`);
}
