import { constants } from "node:os";
import { limitHeapGrowth } from "@idewire/node-server/internal";
import { endInTime } from "./end-in-time.ts";
import { holdInBackground } from "./foreground.ts";
import type { CliIo } from "./io.ts";
import type { StopSignal } from "./stop-signal.ts";

/** The request to stop the command: by a signal, a typed command or a closed stdout. */
export interface Stop {
  /** Settles with the exit code once a stop has been requested. */
  readonly requested: Promise<number>;
  /** Aborted at the same time. */
  readonly signal: AbortSignal;
  request(code: number): void;
  /** While true, SIGINT is meant for another program on the terminal. */
  ignoreInterrupt: boolean;
  /** Everything is closed: stops listening to signals, and waits only for the output. */
  close(): void;
}

/**
 * Listens to SIGINT, SIGTERM and SIGHUP, and to the closing of stdout. The process ends soon after, even if
 * something hangs; a second signal ends it immediately. Until then its output does not stop it in the background,
 * where agents or an editor wait for it, and the garbage of messages is limited.
 */
export function createStop(io: CliIo): Stop {
  const { stdout, stderr, job } = io;
  const release = job === undefined ? () => {} : holdInBackground([stdout, stderr], job);
  const controller = new AbortController();
  let settle: (code: number) => void = () => {};
  const requested = new Promise<number>((resolve) => {
    settle = resolve;
  });
  const request = (code: number) => {
    settle(code);
    controller.abort();
  };
  const endLimit = limitHeapGrowth();
  const undo = io.onSignal((signal) => {
    if (signal === "SIGINT" && stop.ignoreInterrupt) return;
    if (controller.signal.aborted) io.exit(exitCodeOf(signal));
    else request(exitCodeOf(signal));
  });
  // EPIPE: the reader of stdout has closed it.
  io.stdout.on("error", () => request(0));
  const done = endInTime(requested, io);
  const stop: Stop = {
    requested,
    signal: controller.signal,
    request,
    ignoreInterrupt: false,
    close() {
      undo();
      endLimit();
      done();
      release();
    },
  };
  return stop;
}

/** As shells report a program terminated by a signal. */
function exitCodeOf(signal: StopSignal): number {
  return 128 + constants.signals[signal];
}
