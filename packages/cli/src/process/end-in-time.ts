import { setTimeout } from "node:timers";
import type { CliIo } from "./io.ts";
import type { Stop } from "./stop.ts";

/** An orderly end takes less, even if a client does not disconnect. */
const TIMEOUT_MS = 1_500;

/**
 * Once the command is stopped, ends the process soon even if something hangs: a disk that does not answer, or
 * output that is not read. A reader that continues to read, however slowly, gets everything.
 * @returns a function to call when everything is closed
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
    // Only the hanging operation may keep the process alive, not this timer.
    setTimeout(look, TIMEOUT_MS).unref();
  };
  void stop.requested.then((code) => watch(code, io.stdout.writableLength));
  return () => {
    isDone = true;
  };
}
