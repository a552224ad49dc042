import { complainOf } from "../output/print.ts";
import { ExitCode } from "./exit-status.ts";
import type { CliIo } from "./io.ts";
import { createStop, type Stop } from "./stop.ts";

/**
 * Runs a command that signals may stop; resolves to the exit code: that of the run, or of the signal if the run
 * fails because of it. Any other error is printed to stderr.
 * @param codeOf the exit code for an error, 1 when left out; rethrows bugs
 */
export async function runUntilStopped(
  io: CliIo,
  run: (stop: Stop) => Promise<number>,
  codeOf: (error: unknown) => number = () => ExitCode.Failed,
): Promise<number> {
  const stop = createStop(io);
  try {
    return await run(stop);
  } catch (error) {
    if (stop.signal.aborted) return await stop.requested;
    const code = codeOf(error);
    complainOf(io, error);
    return code;
  } finally {
    stop.close();
  }
}
