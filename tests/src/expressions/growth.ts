import { runWithin } from "../../../packages/cli/src/folder-host/linter/time-limit.ts";
import { type Attack, attacksOn } from "./attacks.ts";

/** A text for which an expression takes more than linear time. */
export interface SlowSearch {
  readonly attack: Attack;
  /** For {@link LONG} units; undefined if it did not end within the limit. */
  readonly ms: number | undefined;
}

/** For four times the text, a linear search takes four times as long, a quadratic one 16 times. */
const SHORT = 4_000;
const LONG = 16_000;
const MIN_GROWTH = 8;
/** Shorter times are ignored: a quadratic search takes several times as long. */
const SUSPICIOUS_MS = 1;
const SLOW_MS = 20;
/** The limit for all attacks on an expression, long enough for a busy machine. */
const LIMIT_MS = 120_000;

/**
 * The first attack for which an expression is slower than linear. Robust on a busy machine: only the minimum of
 * several times counts, and the threshold is a hundred times that of a linear search.
 */
export function findSlowSearch(pattern: string, flags: string): SlowSearch | undefined {
  // A sticky expression is tried at each position, which amounts to a search.
  const search = new RegExp(pattern, flags.replace("d", "").replace("y", "g"));
  let slow: SlowSearch | undefined;
  runWithin(LIMIT_MS, () => {
    for (const attack of attacksOn(pattern, flags)) {
      // Remains set if this search does not end.
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

/** A text of at least so many units. */
function textOf({ start, middle, end }: Attack, length: number): string {
  return start + middle.repeat(Math.ceil(length / middle.length)) + end;
}

/** The minimum of three times; stops at a time below `enough`. */
function leastMs(search: RegExp, text: string, enough = 0): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least >= enough; round++) {
    const before = performance.now();
    text.replace(search, "");
    least = Math.min(least, performance.now() - before);
  }
  return least;
}
