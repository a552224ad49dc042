import { setTimeout } from "node:timers";
import type { CliIo } from "./io.ts";
import type { Stop } from "./stop.ts";

/** An orderly end takes less, even if a client does not disconnect. */
const TIMEOUT_MS = 1_500;

/**
 * Once the end has been requested, ends the process soon whatever hangs: a disk that does not
 * answer, or output that is not read. A reader that goes on reading, however slowly, gets everything.
 * @returns to be called when all is closed
 */
export function endInTime(stop: Stop, io: CliIo): () => void {
  let isDone = false;
  const watch = (code: number, waited: number) => {
    const look = () => {
      const waiting = io.stdout.writableLength;
      if (isDone && waiting === 0) return;
      if (isDone && waiting < waited) watch(code, waiting);
      else io.exit(code);
    };
    // What hangs keeps the process alive; this alone must not.
    setTimeout(look, TIMEOUT_MS).unref();
  };
  void stop.requested.then((code) => watch(code, io.stdout.writableLength));
  return () => {
    isDone = true;
  };
}
