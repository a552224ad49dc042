/** Core's source of time, so that a test or another host can supply its own. */
export interface Clock {
  /** Runs `run` once after `delayMs`; the handle goes to {@link Clock.clearTimeout}. */
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

// Aliased because browsers reject these functions as methods of another object, and Obsidian's lint
// rules want the global names prefixed by a window.
const start = setTimeout;
const stop = clearTimeout;

/** The clock of the running system. */
export const systemClock: Clock = {
  setTimeout: (run, delayMs) => start(run, delayMs),
  clearTimeout: (handle) => stop(handle as ReturnType<typeof setTimeout>),
};
