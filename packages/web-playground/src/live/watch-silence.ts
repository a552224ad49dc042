import type { Peer } from "@idewire/core/rpc";

/** Between two pings. */
const PAUSE_MS = 2_000;
/** An answer that takes longer counts as missed. */
const PATIENCE_MS = 3_000;
/** How many are missed in a row until the connection is abandoned. */
const MAX_MISSED = 10;

/** Called when the other end falls silent. */
export interface SilenceListener {
  /** There has been no answer for a while; it may still come. */
  silent(): void;
  /** There is an answer after all. */
  received(): void;
  /** The wait has ended. */
  over(): void;
}

/**
 * Pings the other end until the peer has closed: a suspended process keeps its connections, and a page
 * gets no event of it. Any answer counts.
 */
export function watchSilence(peer: Peer, listener: SilenceListener): void {
  let isOver = false;
  void peer.closed.then(() => {
    isOver = true;
  });
  const ask = async (): Promise<void> => {
    let missed = 0;
    let timer: number | undefined;
    const wait = (): void => {
      const dueMs = performance.now() + PATIENCE_MS;
      timer = window.setTimeout(() => {
        // A timer that is late itself has slept with the machine: the answer may be here already.
        if (performance.now() < dueMs + PATIENCE_MS) missed += 1;
        if (missed === 1) listener.silent();
        isOver ||= missed === MAX_MISSED;
        if (isOver) listener.over();
        else wait();
      }, PATIENCE_MS);
    };
    wait();
    const patience = { timeoutMs: Number.POSITIVE_INFINITY };
    await peer.request("ping", undefined, patience).catch(() => undefined);
    window.clearTimeout(timer);
    if (isOver) return;
    if (missed > 0) listener.received();
    window.setTimeout(() => void ask(), PAUSE_MS);
  };
  void ask();
}
