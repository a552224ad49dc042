import { setTimeout } from "node:timers";
import type { CliIo } from "./io.ts";

/** An orderly end takes less, even if a client does not disconnect. */
const TIMEOUT_MS = 1_500;

/**
 * Once the command is stopped, ends the process soon even if something hangs: a disk that does not answer, or
 * output that is not read. A reader that continues to read, however slowly, gets everything.
 * @returns a function to call when everything is closed
 */
export function endInTime(stopped: Promise<number>, io: CliIo): () => void {
  let isDone = false;
  const watch = (code: number, waited: number) => {
    const look = () => {
      const waiting = waitingIn(io);
      if (isDone && waiting === 0) return;
      if (isDone && waiting < waited) watch(code, waiting);
      else io.exit(code);
    };
    // Only the hanging operation may keep the process alive, not this timer.
    setTimeout(look, TIMEOUT_MS).unref();
  };
  void stopped.then((code) => watch(code, waitingIn(io)));
  return () => {
    isDone = true;
  };
}

/** How long the rest of the log may wait for its reader once the command has ended. */
const LOG_TIMEOUT_MS = 5_000;

/** Ends the process once only a log that is not being read is left to write. */
export function endDespiteLog(code: number, io: CliIo): void {
  const { stdout, stderr } = io;
  const waited = stderr.writableLength;
  if (waited === 0) return;
  const look = () => {
    const isStuck = stderr.writableLength === waited && stdout.writableLength === 0;
    if (isStuck) io.exit(code);
    else endDespiteLog(code, io);
  };
  setTimeout(look, LOG_TIMEOUT_MS).unref();
}

function waitingIn({ stdout, stderr }: CliIo): number {
  return stdout.writableLength + stderr.writableLength;
}
