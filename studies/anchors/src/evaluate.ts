import type { Found, Method, Source } from "./method.ts";
import { type Case, casesOf, groupBy } from "./oracle/cases.ts";
import * as constructed from "./oracle/constructed.ts";
import { type Fact, factsOf } from "./oracle/source-facts.ts";
import { type Random, sample } from "./sample.ts";
import type { Tally } from "./tally.ts";

const mostOfClass = 15;

/** A comment that a method located wrongly. */
export interface Miss {
  readonly class: string;
  readonly before: Source;
  readonly after: Source;
  readonly wanted: Case;
  readonly found: Found;
}

export interface EvaluationOptions {
  /** Ours is the first. */
  readonly methods: readonly Method[];
  readonly tally: Tally;
  readonly random: Random;
  /** Called with the misses of the first method. */
  readonly onmiss: ((miss: Miss) => void) | undefined;
}

/** Evaluates all methods on pairs of sources. */
export class Evaluation {
  readonly #methods: readonly Method[];
  readonly #tally: Tally;
  readonly #random: Random;
  readonly #onmiss: ((miss: Miss) => void) | undefined;

  constructor({ methods, tally, random, onmiss }: EvaluationOptions) {
    this.#methods = methods;
    this.#tally = tally;
    this.#random = random;
    this.#onmiss = onmiss;
  }

  get methods(): readonly string[] {
    return this.#methods.map(({ name }) => name);
  }

  /** Two versions of a source: unchanged, formatted, and with constructed changes of the first. */
  async addVersions(path: string, before: string, after: string): Promise<void> {
    const old = factsOf(path, before);
    const fresh = factsOf(path, after);
    const cases = casesOf(old, fresh);
    await this.addPair("version", path, { before, after, cases });
    const formatted = await constructed.prettier(path, after, "narrow");
    const printed =
      formatted === undefined ? undefined : constructed.formattedFacts(path, fresh, formatted);
    if (formatted !== undefined && printed !== undefined) {
      const moved = cases.map((each) => ({ ...each, expected: linesOf(printed, each.fact) }));
      await this.addPair("version + Prettier", path, { before, after: formatted, cases: moved });
    }
    const pick: constructed.Pick = (facts) => facts[Math.floor(this.#random() * facts.length)];
    const made = [
      await constructed.formatting(path, before, "narrow"),
      await constructed.formatting(path, before, "wide"),
      constructed.renaming(path, before, pick),
      constructed.moving(path, before, pick),
      constructed.cutting(path, before, pick),
    ];
    for (const pair of made) if (pair !== undefined) await this.addPair("made", path, pair);
  }

  async addPair(label: string, path: string, pair: constructed.Pair): Promise<void> {
    const groups = [...groupBy(pair.cases, (each) => each.class).values()];
    const cases: readonly Case[] = groups.flatMap((group) =>
      sample(group, mostOfClass, this.#random),
    );
    if (cases.length === 0) return;
    const before = sourceOf(path, pair.before);
    const after = sourceOf(path, pair.after);
    for (const { name, find } of this.#methods) {
      const found = await find(before, after, cases);
      for (const [index, each] of cases.entries()) {
        const place = found[index];
        this.#tally.add(`${label}: ${each.class}`, name, each, place);
        if (name !== this.#methods[0]?.name || isRight(each, place)) continue;
        this.#onmiss?.({
          class: `${label}: ${each.class}`,
          before,
          after,
          wanted: each,
          found: place,
        });
      }
    }
  }
}

function isRight({ line, endLine, expected }: Case, found: Found): boolean {
  if (expected === undefined || found === undefined) return expected === found;
  return found.line === expected.line && (endLine <= line || found.endLine === expected.endLine);
}

function sourceOf(path: string, text: string): Source {
  let facts: readonly Fact[] | undefined;
  return {
    path,
    text,
    lines: text.split("\n"),
    get facts() {
      facts ??= /\.[cm]?[jt]s$/.test(path) ? factsOf(path, text) : [];
      return facts;
    },
  };
}

function linesOf(facts: readonly Fact[], index: number | undefined): Case["expected"] {
  const fact = index === undefined ? undefined : facts[index];
  return fact === undefined ? undefined : { line: fact.line, endLine: fact.endLine };
}
