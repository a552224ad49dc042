import type { Stop } from "../process/stop.ts";

/** What a start has opened; the caller closes it. */
export interface Opened {
  close(): Promise<void>;
}

/** A start under way. */
export interface StartUp<T> {
  /** What was opened; undefined when the end was requested before. */
  readonly opened: Promise<T | undefined>;
  /** Settles when nothing more will be opened, and what came too late is closed again. */
  readonly settled: Promise<void>;
}

/** Makes a long start, indefinite on a dead disk, abortable. */
export function startUnlessStopped<T extends Opened>(opening: Promise<T>, stop: Stop): StartUp<T> {
  const opened = Promise.race([opening, stop.requested.then(() => undefined)]);
  const settle = async () => {
    try {
      const late = await opening;
      if ((await opened) === undefined) await late.close();
    } catch {
      // The error is reported by `opened`, unless the end was requested.
    }
  };
  return { opened, settled: settle() };
}
