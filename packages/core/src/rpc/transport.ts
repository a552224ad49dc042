/** The close codes of RFC 6455, by name. */
export * as CloseCode from "./close-code.ts";

import type { RequestId } from "./message.ts";
import type { Redactor } from "./redactor.ts";

/** The default size limit of a frame: 16 MiB. */
export const MAX_FRAME_BYTES: number = 1 << 24;

/** The `bufferedAmount` at or below which `ondrain` is called. */
export const LOW_WATER_BYTES: number = 1 << 18;

/** Why a transport closed. */
export interface CloseReason {
  /** A WebSocket close code (RFC 6455 section 7.4), also used by the other transports. */
  readonly code: number;
  /** The reason given; empty when there is none. */
  readonly reason: string;
}

/** Shares the state of sent requests between the peer that awaits their answers and its transport. */
export interface RequestTracker {
  /** Whether a request is still unanswered. */
  awaits(id: RequestId): boolean;
  /** Rejects a request that will get no answer; without effect if it is not awaited. */
  fail(id: RequestId, error: Error): void;
  /**
   * Pauses the time-out of a request while it cannot be sent, for example without a login; `false` restarts it.
   * The time in between does not count towards `timeoutMs`. Absent if requests have no time-out.
   */
  hold?(id: RequestId, isHeld: boolean): void;
}

/**
 * Carries text frames both ways without interpreting them: text, not parsed messages, so that parse
 * errors, size limits and logging are handled in one place.
 *
 * A transport is open when it is created and delivers frames in order, each at most once. Set `onframe`
 * in the turn in which you receive the transport: frames that arrive without it are lost. Everything
 * sent in one turn is written at once where the system allows it. A Peer owns its transport.
 */
export interface Transport extends Partial<Redactor> {
  /**
   * Queues one frame; never throws; dropped after close.
   * @param about the other end's request that the frame belongs to: its answer, its progress, a question
   * that it led to. Only transports with a stream per request need it.
   */
  send(frame: string, about?: RequestId): void;
  /**
   * Whether a frame can reach the other end now; absent if it always can, sooner or later.
   * @param about as for {@link Transport.send}
   */
  reaches?(about?: RequestId): boolean;
  /**
   * Set by the Peer, in transports that have it: those that carry each request by itself, such as HTTP's,
   * of which one may fail alone.
   */
  requests?: RequestTracker | undefined;
  onframe: ((frame: string) => void) | undefined;
  /** Called exactly once, after all other callbacks, and never from within `send` or `close`. */
  onclose: ((reason: CloseReason) => void) | undefined;
  /** Called when `bufferedAmount` has fallen below the transport's low-water mark. */
  ondrain: (() => void) | undefined;
  /**
   * The bytes, or UTF-16 units in some transports, that `send` accepted and are not written yet.
   */
  readonly bufferedAmount: number;
  /** The received part of an incomplete frame, for error messages; absent if it is not accessible. */
  partial?(): string;
  /**
   * Calls back once the other end has read everything sent before, by means of the medium; absent where
   * it has none. A later call replaces a pending one.
   */
  ping?(onpong: () => void): void;
  /**
   * Starts an orderly close: frames sent before are delivered first. Further calls have no effect.
   * @param code a close code; 1000 by default
   * @param reason at most 123 bytes of UTF-8
   */
  close(code?: number, reason?: string): void;
}
