import type { Progress } from "./call.ts";
import type { RequestId } from "./message.ts";

/** Options of one request. */
export interface RequestOptions {
  /**
   * How long to wait for the answer, to within an eighth of a second; 60,000 by default, Infinity for no limit. With
   * {@link resetTimeoutOnProgress}, as in calls of tools, how long to wait for the answer or progress.
   */
  readonly timeoutMs?: number | undefined;
  /** Whether each progress notification restarts the time-out; true by default for `McpClient.callTool`, else false. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The longest wait regardless of progress; unlimited by default. */
  readonly maxTotalTimeoutMs?: number;
  /** Requests progress notifications and receives them. */
  readonly onProgress?: (progress: Progress) => void;
  /** Cancels the request: the other end is notified, and the promise rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Sends no cancellation to the other end, as for MCP's `initialize`, which is never cancelled. */
  readonly silent?: boolean;
  /**
   * Whether to resend a request whose answer was lost, although it may have been executed. For MCP's modern era,
   * in which a client by itself resends only idempotent requests.
   */
  readonly reissue?: boolean;
  /** Whether to ask the server although its earlier result is still fresh: skips MCP's `resultCache`. */
  readonly refresh?: boolean;
  /** Called with the id, each time that the request is sent. */
  readonly onSent?: (id: number) => void;
  /** The request of the other end that this one is sent for, for {@link Transport.send}. */
  readonly about?: RequestId;
}
