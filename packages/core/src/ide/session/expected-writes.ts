import type { Clock } from "../../rpc/clock.ts";

/** How soon an agent writes a file after it has requested the diagnostics, and a formatter after that. */
const WINDOW_MS = 5_000;
/** How many files of one agent are remembered. */
const MAX_FILES = 1_000;

/** An announced write that is not noticed yet. */
export type Expectation = "announced" | "reviewed" | "none";

/** The diffs of one file. */
interface FileDiffs {
  /** How many were proposed, not refused, and not written yet. */
  count: number;
  pending: number;
}

/**
 * The writes that one agent has announced, by comparison key: by a diff, or by the request of diagnostics
 * that precedes each edit of Claude Code.
 */
export class ExpectedWrites {
  readonly #diffs = new Map<string, FileDiffs>();
  readonly #announced: ForAWhile;
  readonly #reviewed: ForAWhile;

  constructor(clock: Clock) {
    this.#announced = new ForAWhile(clock);
    this.#reviewed = new ForAWhile(clock);
  }

  proposed(key: string): void {
    const file = this.#diffs.get(key) ?? { count: 0, pending: 0 };
    file.count += 1;
    file.pending += 1;
    if (this.#diffs.has(key) || this.#diffs.size < MAX_FILES) this.#diffs.set(key, file);
  }

  /** A diff has ended: the file is written next, unless the person has refused it. */
  answered(key: string, isRefused: boolean): void {
    const file = this.#diffs.get(key);
    if (file === undefined) return;
    file.pending -= 1;
    if (isRefused) file.count = Math.max(0, file.count - 1);
    this.#drop(key, file);
  }

  /** Without a diff, the request for diagnostics announces an unreviewed write. */
  announced(key: string): void {
    if (this.#takeDiff(key)) this.#reviewed.add(key);
    else this.#announced.add(key);
  }

  /** The next prompt has begun: diffs of the last one are no longer written. */
  prompted(): void {
    for (const [key, file] of this.#diffs) {
      file.count = 0;
      this.#drop(key, file);
    }
  }

  /** The file was written; later writes within a few seconds are those of formatters. */
  written(key: string): Expectation {
    if (this.#announced.has(key)) {
      this.#announced.delete(key);
      this.#reviewed.add(key);
      return "announced";
    }
    if (this.#reviewed.has(key) || (this.#diffs.get(key)?.pending ?? 0) > 0) return "reviewed";
    if (!this.#takeDiff(key)) return "none";
    this.#reviewed.add(key);
    return "reviewed";
  }

  close(): void {
    this.#announced.clear();
    this.#reviewed.clear();
  }

  #takeDiff(key: string): boolean {
    const file = this.#diffs.get(key);
    if (file === undefined || file.count === 0) return false;
    file.count -= 1;
    this.#drop(key, file);
    return true;
  }

  #drop(key: string, { count, pending }: FileDiffs): void {
    if (count === 0 && pending === 0) this.#diffs.delete(key);
  }
}

/** Keys that are removed after {@link WINDOW_MS}. */
class ForAWhile {
  readonly #clock: Clock;
  readonly #timers = new Map<string, unknown>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: string): boolean {
    return this.#timers.has(key);
  }

  add(key: string): void {
    this.delete(key);
    if (this.#timers.size >= MAX_FILES) return;
    const timer = this.#clock.setTimeout(() => this.#timers.delete(key), WINDOW_MS);
    this.#timers.set(key, timer);
  }

  delete(key: string): void {
    this.#clock.clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  clear(): void {
    for (const key of [...this.#timers.keys()]) this.delete(key);
  }
}
