import { runWithin } from "../../../packages/cli/src/folder-host/linter/time-limit.ts";
import { type Attack, attacksOn } from "./attacks.ts";

/** A text that an expression takes longer for than in proportion to its length. */
export interface SlowSearch {
  readonly attack: Attack;
  /** Of {@link LONG} units; undefined when it did not end within the limit. */
  readonly ms: number | undefined;
}

/** Four times the text takes a linear search four times as long, and a quadratic one 16 times. */
const SHORT = 4_000;
const LONG = 16_000;
const MIN_GROWTH = 8;
/** Less is not judged: a quadratic search takes several times as long. */
const SUSPICIOUS_MS = 1;
const SLOW_MS = 20;
/** For all attacks on one expression: a limit for one that never ends, which a busy machine keeps. */
const LIMIT_MS = 120_000;

/**
 * The first attack by which an expression is slower than linear. A busy machine does no harm: only
 * the least of several times counts, and what is judged lies a hundred times above a linear search.
 */
export function findSlowSearch(pattern: string, flags: string): SlowSearch | undefined {
  // A sticky one is tried at place after place, which makes a search of it.
  const search = new RegExp(pattern, flags.replace("d", "").replace("y", "g"));
  let slow: SlowSearch | undefined;
  runWithin(LIMIT_MS, () => {
    for (const attack of attacksOn(pattern, flags)) {
      // Stays when this one does not end.
      slow = { attack, ms: undefined };
      const ms = superlinearMs(search, attack);
      slow = ms === undefined ? undefined : { attack, ms };
      if (slow !== undefined) return;
    }
  });
  return slow;
}

function superlinearMs(search: RegExp, attack: Attack): number | undefined {
  const shortMs = leastMs(search, textOf(attack, SHORT), SUSPICIOUS_MS);
  if (shortMs < SUSPICIOUS_MS) return undefined;
  const slowMs = Math.max(SLOW_MS, MIN_GROWTH * shortMs);
  const ms = leastMs(search, textOf(attack, LONG), slowMs);
  return ms < slowMs ? undefined : ms;
}

/** A text of so many units at least. */
function textOf({ start, middle, end }: Attack, length: number): string {
  return start + middle.repeat(Math.ceil(length / middle.length)) + end;
}

/** The least of three times; one below `enough` is enough. */
function leastMs(search: RegExp, text: string, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least >= enough; round++) {
    const before = performance.now();
    text.replace(search, "");
    least = Math.min(least, performance.now() - before);
  }
  return least;
}
