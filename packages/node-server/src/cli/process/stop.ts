import { constants } from "node:os";
import type { StopSignal } from "../../process/node-types.ts";
import type { CliIo } from "./io.ts";

/** The one way in which the command is told to end, whoever asks. */
export interface Stop {
  /** Settles with the exit code once somebody has asked. */
  readonly requested: Promise<number>;
  /** Aborted at the same time. */
  readonly signal: AbortSignal;
  request(code: number): void;
  /** While it is true, SIGINT is meant for another program on the terminal. */
  ignoreInterrupt: boolean;
  /** Stops listening to signals. */
  close(): void;
}

/**
 * Hears of SIGINT, SIGTERM and SIGHUP, and of a reader of stdout that has gone. A second signal
 * ends the process at once.
 */
export function createStop(io: CliIo): Stop {
  const controller = new AbortController();
  let settle: (code: number) => void = () => {};
  const requested = new Promise<number>((resolve) => {
    settle = resolve;
  });
  const request = (code: number) => {
    settle(code);
    controller.abort();
  };
  const undo = io.onSignal((signal) => {
    if (signal === "SIGINT" && stop.ignoreInterrupt) return;
    if (controller.signal.aborted) io.exit(exitCodeOf(signal));
    else request(exitCodeOf(signal));
  });
  // EPIPE: nobody reads any more.
  io.stdout.on("error", () => request(0));
  const stop: Stop = {
    requested,
    signal: controller.signal,
    request,
    ignoreInterrupt: false,
    close: undo,
  };
  return stop;
}

/** As a shell reports a program that a signal has ended. */
function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}
