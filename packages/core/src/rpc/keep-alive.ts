import type { Unsubscribe } from "../emitter.ts";
import { IdewireError } from "../errors.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Peer } from "./peer.ts";
import { CloseCode } from "./transport.ts";

export interface KeepAliveOptions {
  /** Between two pings. */
  readonly intervalMs: number;
  /** How long the other end has to answer one; no longer than `intervalMs`. */
  readonly timeoutMs: number;
  readonly clock?: Clock;
}

/**
 * Asks the other end `ping` at intervals, and closes the connection when no answer comes in time.
 * Any answer will do, an error as well. Not every agent answers requests of an editor (opencode
 * does not), so that this is for those that promise to; a WebSocket has its own pings.
 */
export function keepAlive(peer: Peer, options: KeepAliveOptions): Unsubscribe {
  const { intervalMs, timeoutMs, clock = systemClock } = options;
  let timer: unknown;
  let stopped = false;
  const wait = () => {
    timer = clock.setTimeout(beat, intervalMs);
  };
  const beat = () => {
    wait();
    peer.request("ping", undefined, { timeoutMs }).catch((error: unknown) => {
      const isLate = error instanceof IdewireError && error.code === "timeout";
      if (stopped || !isLate) return;
      stop();
      peer.close(CloseCode.GoingAway, `No answer to ping in ${timeoutMs} ms`);
    });
  };
  const stop = () => {
    stopped = true;
    clock.clearTimeout(timer);
  };
  wait();
  void peer.closed.then(stop);
  return stop;
}
