/** Where core takes its time from, so that a test or another host can bring its own. */
export interface Clock {
  /** Runs `run` once after `delayMs`; the handle goes to {@link Clock.clearTimeout}. */
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The clock of the running system. */
export const systemClock: Clock = {
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};
