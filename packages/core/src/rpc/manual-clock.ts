import type { Clock } from "./clock.ts";

/** A clock that is advanced explicitly, for tests and simulations. */
export interface ManualClock extends Clock {
  /** Milliseconds since the clock was created. */
  readonly nowMs: number;
  /** The number of pending timers. */
  readonly waiting: number;
  /**
   * Advances the time, and runs the timers that fall due in order, including those set meanwhile.
   */
  advance(ms: number): void;
}

interface Timer {
  readonly run: () => void;
  readonly dueMs: number;
}

class ManualClockImpl implements ManualClock {
  nowMs = 0;
  /** In order of creation, which resolves ties. */
  readonly #timers = new Set<Timer>();

  get waiting(): number {
    return this.#timers.size;
  }

  setTimeout(run: () => void, delayMs: number): unknown {
    const timer: Timer = { run, dueMs: this.nowMs + Math.max(0, delayMs) };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as Timer);
  }

  advance(ms: number): void {
    const end = this.nowMs + ms;
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.nowMs = timer.dueMs;
      timer.run();
    }
    this.nowMs = end;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= end && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

export function manualClock(): ManualClock {
  return new ManualClockImpl();
}
