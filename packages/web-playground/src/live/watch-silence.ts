import type { Peer } from "@idewire/core/rpc";

/** Between two pings. */
const PAUSE_MS = 2_000;
/** An answer that takes longer counts as missed. */
const PING_TIMEOUT_MS = 3_000;
/** The number of missed pings in a row after which the connection is closed. */
const MAX_MISSED = 10;

/** Callbacks for an unresponsive peer. */
export interface SilenceListener {
  /** A ping was not answered in time. */
  silent(): void;
  /** The peer answers again. */
  received(): void;
  /** Too many pings were missed. */
  over(): void;
}

/**
 * Pings the other end until the peer has closed, since a suspended process keeps its connections without any
 * event. Any answer counts.
 */
export function watchSilence(peer: Peer, listener: SilenceListener): void {
  let isOver = false;
  void peer.closed.then(() => {
    isOver = true;
  });
  const ping = async (): Promise<void> => {
    let missed = 0;
    let timer: number | undefined;
    const wait = (): void => {
      const dueMs = performance.now() + PING_TIMEOUT_MS;
      timer = window.setTimeout(() => {
        // A late timer means that the machine was suspended: the answer may have arrived already.
        if (performance.now() < dueMs + PING_TIMEOUT_MS) missed += 1;
        if (missed === 1) listener.silent();
        isOver ||= missed === MAX_MISSED;
        if (isOver) listener.over();
        else wait();
      }, PING_TIMEOUT_MS);
    };
    wait();
    const forever = { timeoutMs: Number.POSITIVE_INFINITY };
    await peer.request("ping", undefined, forever).catch(() => undefined);
    window.clearTimeout(timer);
    if (isOver) return;
    if (missed > 0) listener.received();
    window.setTimeout(() => void ping(), PAUSE_MS);
  };
  void ping();
}
