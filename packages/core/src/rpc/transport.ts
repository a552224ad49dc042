/** The close codes of RFC 6455, by name. */
export * as CloseCode from "./close-code.ts";

/** Why a transport closed. */
export interface CloseReason {
  /** A WebSocket close code (RFC 6455 section 7.4), also used by the other transports. */
  readonly code: number;
  /** The words that came with it; empty when there were none. */
  readonly reason: string;
}

/**
 * Carries text frames both ways and knows nothing of their content: text, not parsed messages, so
 * that parse errors, size limits and logging live in one place.
 *
 * A transport is open when it is made and delivers frames in order, each at most once. Set `onframe`
 * in the turn in which you get it: what arrives while there is none is lost. Everything sent in one
 * turn leaves in one write where the system allows it. A Peer that is given a transport owns it.
 */
export interface Transport {
  /** Queues one frame; never throws; dropped after close. */
  send(frame: string): void;
  onframe: ((frame: string) => void) | undefined;
  /** Called exactly once, last, and never from inside `send` or `close`. */
  onclose: ((reason: CloseReason) => void) | undefined;
  /** Called when bufferedAmount has fallen below the transport's low-water mark. */
  ondrain: (() => void) | undefined;
  /** Bytes (or UTF-16 units, where the system counts those) accepted and not yet handed on. */
  readonly bufferedAmount: number;
  /**
   * Calls back when the other end has read what was sent before: a sign of life below the frames. Not
   * there where the medium has none. A later call takes the place of one that is not answered.
   */
  ping?(onpong: () => void): void;
  /**
   * Starts an orderly close: what was sent before is delivered first. Later calls do nothing.
   * @param code a close code; 1000 when left out
   * @param reason at most 123 bytes of UTF-8
   */
  close(code?: number, reason?: string): void;
}
