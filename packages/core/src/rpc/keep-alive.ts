import type { Unsubscribe } from "../emitter.ts";
import { IdewireError } from "../errors.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Peer } from "./peer.ts";
import { CloseCode } from "./transport.ts";

export interface KeepAliveOptions {
  /** The time from one ping to the next. */
  readonly intervalMs: number;
  /** How long the other end has to answer a ping; at most `intervalMs`. */
  readonly timeoutMs: number;
  readonly clock?: Clock;
}

/**
 * Sends the request `ping` at intervals, and closes the connection when no answer arrives in time; an
 * error counts as an answer. Only for agents that are known to answer an editor's requests, as opencode
 * does not; a WebSocket has pings of its own.
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
