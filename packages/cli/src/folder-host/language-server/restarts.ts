import { backOffMs } from "@idewire/core/internal";

/** A server that crashes this often in this time is not started again. */
const MAX_CRASHES = 5;
const WINDOW_MS = 3 * 60_000;

/** Decides when a crashed server is restarted. */
export class Restarts {
  readonly #firstDelayMs: number | undefined;
  #crashes: number[] = [];

  constructor(firstDelayMs?: number) {
    this.#firstDelayMs = firstDelayMs;
  }

  /** The number of recent crashes. */
  get count(): number {
    return this.#crashes.length;
  }

  /** Records a crash; returns the delay before the restart, or undefined for no restart. */
  next(nowMs: number): number | undefined {
    this.#crashes = [...this.#crashes.filter((atMs) => nowMs - atMs < WINDOW_MS), nowMs];
    if (this.count >= MAX_CRASHES) return undefined;
    return backOffMs(this.count - 1, this.#firstDelayMs);
  }
}
