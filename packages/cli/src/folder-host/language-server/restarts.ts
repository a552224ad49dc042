import { backOffMs } from "@idewire/core/internal";

/** A server that crashes this often in this time is not started again. */
const MAX_CRASHES = 5;
const WINDOW_MS = 3 * 60_000;

/** When a server that crashed is started again. */
export class Restarts {
  readonly #firstDelayMs: number | undefined;
  #crashes: number[] = [];

  constructor(firstDelayMs?: number) {
    this.#firstDelayMs = firstDelayMs;
  }

  /** How often it has crashed lately. */
  get count(): number {
    return this.#crashes.length;
  }

  /** It crashed: after how long it is started again, or undefined when it is not. */
  next(nowMs: number): number | undefined {
    this.#crashes = [...this.#crashes.filter((atMs) => nowMs - atMs < WINDOW_MS), nowMs];
    if (this.count >= MAX_CRASHES) return undefined;
    return backOffMs(this.count - 1, this.#firstDelayMs);
  }
}
