import type { Stop } from "../process/stop.ts";

/** A resource opened by a start; the caller closes it. */
export interface Opened {
  close(): Promise<void>;
}

/** A pending start. */
export interface StartUp<T> {
  /** The resource; undefined when the command was stopped before. */
  readonly opened: Promise<T | undefined>;
  /** Settles when nothing more will be opened, and a resource opened too late is closed again. */
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
