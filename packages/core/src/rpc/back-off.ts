import { type Clock, systemClock } from "./clock.ts";

/** The pauses of a {@link BackOff}. */
export interface BackOffOptions {
  /** The first pause, 1,000 by default; each further one is twice as long. */
  readonly firstDelayMs?: number;
  /** The longest pause; 30,000 by default. */
  readonly maxDelayMs?: number;
  /** Whether there is no pause before the first attempt. */
  readonly startsAtOnce?: boolean;
  /** The number of attempts in a row before giving up; unlimited by default. */
  readonly maxTries?: number | undefined;
  /** Returns a number from 0 up to 1, to spread the attempts of many clients; none by default. */
  readonly random?: () => number;
  readonly clock?: Clock;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** A connection must last this long to reset the back-off: some servers accept and close immediately. */
const LASTING_MS = 10_000;

/** The pause before an attempt; `tries` is how many attempts with a pause came before it. */
export function backOffMs(
  tries: number,
  firstDelayMs: number = FIRST_DELAY_MS,
  maxDelayMs: number = MAX_DELAY_MS,
): number {
  return Math.min(firstDelayMs * 2 ** Math.max(0, tries), maxDelayMs);
}

/** Exponential back-off between attempts, until one succeeds. */
export class BackOff {
  readonly #options: BackOffOptions;
  readonly #clock: Clock;
  #tries = 0;
  #timer: unknown;

  constructor(options: BackOffOptions = {}) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** The pause before the next attempt, or undefined after the last one. */
  next(): number | undefined {
    const { maxTries = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#tries >= maxTries) return undefined;
    const delayMs = this.#delayMs();
    this.#tries += 1;
    return delayMs;
  }

  /** Schedules the next attempt, in place of a scheduled one; returns its pause like {@link next}. */
  schedule(run: () => void): number | undefined {
    const delayMs = this.next();
    if (delayMs === undefined) return undefined;
    this.cancel();
    this.#timer = this.#clock.setTimeout(run, delayMs);
    return delayMs;
  }

  /** Makes the next attempt the first again. */
  reset(): void {
    this.#tries = 0;
  }

  /** Cancels the scheduled attempt, and resets unless another one is scheduled within ten seconds. */
  succeed(): void {
    this.cancel();
    this.#timer = this.#clock.setTimeout(() => this.reset(), LASTING_MS);
  }

  cancel(): void {
    this.#clock.clearTimeout(this.#timer);
  }

  #delayMs(): number {
    const { firstDelayMs, maxDelayMs, startsAtOnce = false, random } = this.#options;
    if (startsAtOnce && this.#tries === 0) return 0;
    const delayMs = backOffMs(this.#tries - (startsAtOnce ? 1 : 0), firstDelayMs, maxDelayMs);
    return random === undefined ? delayMs : Math.round(delayMs * (0.75 + random() / 2));
  }
}
