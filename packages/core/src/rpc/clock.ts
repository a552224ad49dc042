/** Where core takes its time from, so that a test or another host can bring its own. */
export interface Clock {
  /** Runs `run` once after `delayMs`; the handle goes to {@link Clock.clearTimeout}. */
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

// Names of our own: a browser's functions refuse to be methods of another object, and Obsidian's
// rules want a window before the global names.
const start = setTimeout;
const stop = clearTimeout;

/** The clock of the running system. */
export const systemClock: Clock = {
  setTimeout: (run, delayMs) => start(run, delayMs),
  clearTimeout: (handle) => stop(handle as ReturnType<typeof setTimeout>),
};
