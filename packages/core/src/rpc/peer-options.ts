import { optionNames } from "../misuse.ts";
import type { Call, CallOwner } from "./call.ts";
import type { Clock } from "./clock.ts";
import type { JsonCodec, Params } from "./message.ts";
import type { RequestLifecycle } from "./request-lifecycle.ts";

/**
 * Handles one call. A returned value is the result, sent in the same turn; a promise is awaited. A
 * thrown {@link RpcError} is sent as the answer; anything else thrown is a bug, which the other end
 * sees as "Internal error" only. The result of a notification is dropped.
 */
export type Handler<P = Params | undefined> = (call: Call<P>) => unknown;

export interface PeerOptions {
  /**
   * Handles the calls that have no handler by {@link Peer.handle}; without it, their methods are
   * unknown.
   */
  readonly handler?: {
    handle(call: Call): unknown;
    /** Called at a client for an unparsed frame, which may be an answer; true when it was understood. */
    handleUnread?(frame: string, why: string): boolean;
  };
  /** The caller of the calls; the peer by default. */
  readonly owner?: CallOwner;
  /** How the protocol cancels requests and reports progress; without it neither happens. */
  readonly lifecycle?: RequestLifecycle;
  /**
   * Whether this end is the client: then invalid JSON and messages without a method are never answered. By
   * default, these are invalid requests, unless they answer one of ours.
   */
  readonly isClient?: boolean;
  /** Called with the error of a bug in a handler; it must not throw. `console.error` by default. */
  readonly onerror?: (error: Error) => void;
  /** Called with the reason when a frame of the other end is refused. */
  readonly onrefused?: (why: string) => void;
  /**
   * How many requests of the other end may be unanswered at once; 256 by default. One more closes the
   * connection. A batch with more messages is refused.
   */
  readonly maxRunning?: number;
  /**
   * Their total size in UTF-16 units, including the answers of unfinished batches; 32 Mi by default.
   * More closes the connection.
   */
  readonly maxRunningSize?: number;
  /**
   * How many values one frame may have, counted by commas and opening brackets; 50,000 by default. A
   * frame with more is answered by a parse error without parsing it. Frames below 16 Ki units are not
   * counted.
   */
  readonly maxValues?: number;
  /** How deeply brackets may be nested; 200 by default. The parameters of a short frame are refused as such. */
  readonly maxDepth?: number;
  /**
   * The transport's `bufferedAmount` above which sending closes the connection, as the other end reads
   * too slowly; 16 Mi by default.
   */
  readonly maxBuffered?: number;
  /**
   * The id of the first request that this end sends, 1,000,000 by default; each further one has the next.
   * Of several processes that send requests in one conversation, each needs a range of its own.
   */
  readonly firstId?: number;
  readonly clock?: Clock;
  /** Parses frames, and writes requests and notifications; `JSON` by default. For numbers beyond 2^53, such as by `lossless-json`. */
  readonly json?: JsonCodec;
}

/** Takes the answer to a message, once; undefined for no answer. */
export type SendAnswer = (text: string | undefined) => void;

/** All options of a peer. */
export const PEER_OPTIONS: ReadonlySet<string> = optionNames<PeerOptions>({
  handler: true,
  owner: true,
  lifecycle: true,
  isClient: true,
  onerror: true,
  onrefused: true,
  maxRunning: true,
  maxRunningSize: true,
  maxValues: true,
  maxDepth: true,
  maxBuffered: true,
  firstId: true,
  clock: true,
  json: true,
});
