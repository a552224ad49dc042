import { clearTimeout, setTimeout } from "node:timers";
import type { Clock } from "@idewire/core/rpc";

/** When to try again. */
export interface BackOffOptions {
  /** How many tries in a row before giving up; for ever when left out. */
  readonly maxTries?: number;
  /** 30,000: the longest pause. */
  readonly maxDelayMs?: number;
  /** The system's when left out. */
  readonly clock?: Clock;
  /** From 0 up to 1; spreads the tries of many agents. */
  readonly random?: () => number;
}

const FIRST_DELAY_MS = 1_000;
/** An editor that accepts a connection and closes it at once is not retried at once each time. */
const LASTING_MS = 10_000;

const nodeClock: Clock = {
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Tries again at once, then after about 1, 2, 4, 8 … seconds. */
export class BackOff {
  readonly #options: BackOffOptions;
  readonly #clock: Clock;
  #tries = 0;
  #timer: unknown;

  constructor(options: BackOffOptions) {
    this.#options = options;
    this.#clock = options.clock ?? nodeClock;
  }

  /** Plans the next try; returns in how many milliseconds, or undefined when it gives up. */
  schedule(run: () => void): number | undefined {
    const { maxTries = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#tries >= maxTries) return undefined;
    this.cancel();
    const delayMs = this.#delayMs();
    this.#tries += 1;
    this.#timer = this.#clock.setTimeout(run, delayMs);
    return delayMs;
  }

  /** It worked, so that no planned try takes place. What then lasts for a while makes the next try the first again. */
  succeed(): void {
    this.cancel();
    this.#timer = this.#clock.setTimeout(() => {
      this.#tries = 0;
    }, LASTING_MS);
  }

  cancel(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #delayMs(): number {
    if (this.#tries === 0) return 0;
    const { maxDelayMs = 30_000, random = Math.random } = this.#options;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (this.#tries - 1), maxDelayMs);
    return Math.round(delayMs * (0.75 + random() / 2));
  }
}
