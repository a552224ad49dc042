import type { Call } from "./call.ts";
import type { Clock } from "./clock.ts";
import type { RequestLifecycle } from "./request-lifecycle.ts";

/**
 * Answers what the other end asks. A value is the result, sent in the same turn; a promise is
 * awaited; an {@link RpcError} that is thrown is sent; anything else that is thrown is a bug, of
 * which the other end hears "Internal error" and no more. For a notification the result is dropped.
 */
export type Handler = (call: Call) => unknown;

export interface PeerOptions {
  /** Takes every call that no {@link Peer.handle} names. Without it they are unknown methods. */
  readonly handler?: { handle(call: Call): unknown };
  /** What the protocol adds to JSON-RPC; nothing when left out. */
  readonly lifecycle?: RequestLifecycle;
  /** Hears of bugs in handlers; it must not throw. */
  readonly onerror?: (error: Error) => void;
  /** Hears, in words, what the other end did wrong in a frame that was refused. */
  readonly onrefused?: (why: string) => void;
  /**
   * How many requests of the other end may be unanswered at once; 256. One more closes. A batch of
   * more messages is refused.
   */
  readonly maxRunning?: number;
  /** How many units of text those may hold together, their batches' answers too; 32 Mi. More closes. */
  readonly maxRunningSize?: number;
  /**
   * How many values one frame may hold, counted by commas and opening brackets; 50,000. One with
   * more is not parsed, but answered as what is no JSON. Frames under 16 kB are not looked at.
   */
  readonly maxValues?: number;
  /** How many brackets may be in one another; 200. */
  readonly maxDepth?: number;
  /** How much may wait to be sent when we send more; 16 Mi. More closes: the other end reads nothing. */
  readonly maxBuffered?: number;
  readonly clock?: Clock;
}
