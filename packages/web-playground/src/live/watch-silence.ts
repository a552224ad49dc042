import type { Peer } from "@idewire/core";

/** Between two questions whether the other end is there. */
const PAUSE_MS = 2_000;
/** An answer that takes longer is missed. */
const PATIENCE_MS = 3_000;
/** When so many are missed in a row the connection is given up. */
const MAX_MISSED = 10;

/** Whoever is told of a silence. */
export interface SilenceListener {
  /** There was no answer for a while; it may still come. */
  silent(): void;
  /** There is an answer after all. */
  received(): void;
  /** Nobody waits any more. */
  over(): void;
}

/**
 * Asks the other end again and again whether it is there, until the peer has closed: a process that
 * stands still keeps its connections, and a page is told nothing of it. Any answer will do.
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
        // One that is late itself has slept with the machine: the answer may be here already.
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
