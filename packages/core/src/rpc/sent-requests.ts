import type { Progress } from "./call.ts";
import type { Params, RawMessage, RequestId } from "./message.ts";
import type { RequestTracker } from "./transport.ts";

/** Options of one request. */
export interface RequestOptions {
  /** How long to wait for the answer; 60,000 by default, Infinity for no limit. */
  readonly timeoutMs?: number | undefined;
  /** Whether each progress notification restarts the time-out. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The longest wait regardless of progress; unlimited by default. */
  readonly maxTotalTimeoutMs?: number;
  /** Requests progress notifications and receives them. */
  readonly onProgress?: (progress: Progress) => void;
  /** Cancels the request: the other end is notified, and the promise rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends no cancellation to the other end, as for MCP's `initialize`, which is never cancelled.
   */
  readonly silent?: boolean;
  /**
   * Whether a request whose answer was lost is sent again, although it may have been carried out; of use
   * in MCP's modern era, which repeats only what does no harm by itself.
   */
  readonly reissue?: boolean;
  /**
   * Whether the other end is asked although its answer of before may be used still; of use in MCP's modern
   * era, which keeps lists and resources for as long as the server says.
   */
  readonly refresh?: boolean;
  /** Called with the id, each time that the request is sent. */
  readonly onSent?: (id: number) => void;
  /** The request of the other end that this one is sent for, for {@link Transport.send}. */
  readonly about?: RequestId;
}

/** The requests that a peer has sent, as it sees them: it has none before the first `sendRequest`. */
export interface SentRequests extends RequestTracker {
  send(method: string, params?: Params, options?: RequestOptions): Promise<unknown>;
  /** Settles the request that an answer belongs to; false when there is none. */
  settle(response: RawMessage): boolean;
  /** Takes a progress notification for a request. */
  progress(id: unknown, progress: Progress): void;
  /** Rejects all of them with `closed`. */
  close(why: string): void;
}
