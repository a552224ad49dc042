import type { PosixPath } from "../../paths/posix-path.ts";
import type { Clock } from "../../rpc/clock.ts";

/** Writes are reported together until there is none for this time, at the latest after the longer one. */
const QUIET_MS = 1_000;
const MAX_GATHER_MS = 5_000;
/** The pause between two notices within a turn. */
const PAUSE_MS = 60_000;
/** How many files are named in one notice. */
const MAX_FILES = 1_000;

/** Reports writes in few notices: soon after the first, then once a minute, and at the end of each turn. */
export class WriteNotices {
  readonly #clock: Clock;
  readonly #report: (paths: readonly PosixPath[]) => Promise<boolean>;
  /** Files that are not reported yet, by comparison key. */
  #written = new Map<string, PosixPath>();
  #quiet: unknown;
  #latest: unknown;
  #pause: unknown;
  #isTurnOver = false;
  #isClosed = false;

  /** @param report resolves to whether the person was notified */
  constructor(clock: Clock, report: (paths: readonly PosixPath[]) => Promise<boolean>) {
    this.#clock = clock;
    this.#report = report;
  }

  add(key: string, path: PosixPath): void {
    if (this.#isClosed || this.#written.size >= MAX_FILES) return;
    this.#written.set(key, path);
    if (this.#pause === undefined) this.#gather();
  }

  /** Called at the end of a turn. The last write may not have been noticed yet. */
  endTurn(): void {
    this.#isTurnOver = this.#written.size > 0;
    this.#clock.clearTimeout(this.#pause);
    this.#resume();
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of [this.#quiet, this.#latest, this.#pause]) this.#clock.clearTimeout(timer);
  }

  #resume(): void {
    this.#pause = undefined;
    if (this.#written.size > 0) this.#gather();
  }

  #startPause(): void {
    this.#clock.clearTimeout(this.#pause);
    this.#pause = this.#clock.setTimeout(() => this.#resume(), PAUSE_MS);
  }

  #gather(): void {
    this.#clock.clearTimeout(this.#quiet);
    this.#quiet = this.#clock.setTimeout(() => this.#flush(), QUIET_MS);
    this.#latest ??= this.#clock.setTimeout(() => this.#flush(), MAX_GATHER_MS);
  }

  #flush(): void {
    this.#clock.clearTimeout(this.#quiet);
    this.#clock.clearTimeout(this.#latest);
    this.#latest = undefined;
    const isTurnOver = this.#isTurnOver;
    this.#isTurnOver = false;
    const paths = [...this.#written.values()];
    this.#written = new Map();
    void this.#report(paths).then((isReported) => {
      // The first files of the next turn are reported soon, too.
      if (isReported && !isTurnOver && !this.#isClosed) this.#startPause();
    });
  }
}
