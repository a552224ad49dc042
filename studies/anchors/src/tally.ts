import type { Found } from "./method.ts";
import type { Case } from "./oracle/cases.ts";

/** A method's results in one class. */
export interface Count {
  all: number;
  /** On the right line, guesses included. */
  exact: number;
  /** Those of them that are marked as a guess. */
  guessed: number;
  /** On a wrong line without being reported as a guess. */
  wrong: number;
  /** Reported as an orphan, or as a guess. */
  reported: number;
  /** Multi-line comments with the right first line, and those whose last line is right as well. */
  ranges: number;
  bothEnds: number;
}

/** Counts by class and method. */
export class Tally {
  readonly #counts = new Map<string, Map<string, Count>>();

  add(name: string, method: string, { line, endLine, expected }: Case, found: Found): void {
    const count = this.of(name, method);
    count.all++;
    if (expected === undefined ? found === undefined : found?.line === expected.line) {
      count.exact++;
      if (found?.isGuess) count.guessed++;
      if (expected === undefined || endLine <= line) return;
      count.ranges++;
      if (found?.endLine === expected.endLine) count.bothEnds++;
    } else if (found === undefined || found.isGuess) count.reported++;
    else count.wrong++;
  }

  of(name: string, method: string): Count {
    const methods = this.#counts.get(name) ?? new Map<string, Count>();
    this.#counts.set(name, methods);
    const count = methods.get(method) ?? emptyCount();
    methods.set(method, count);
    return count;
  }

  get classes(): readonly string[] {
    return [...this.#counts.keys()].sort();
  }

  /** The sum of some classes. */
  sum(method: string, holds: (name: string) => boolean): Count {
    const total = emptyCount();
    for (const name of this.classes.filter(holds)) {
      const count = this.of(name, method);
      for (const key of Object.keys(total) as (keyof Count)[]) total[key] += count[key];
    }
    return total;
  }
}

function emptyCount(): Count {
  return { all: 0, exact: 0, guessed: 0, wrong: 0, reported: 0, ranges: 0, bothEnds: 0 };
}
