import type { Call } from "./call.ts";
import type { RequestId } from "./message.ts";
import type { PeerOptions } from "./peer-options.ts";

/** The unanswered requests of the other end and their size. */
export class RunningRequests {
  readonly calls: Map<RequestId, Call> = new Map();
  /**
   * An upper bound of their total size in UTF-16 units, with the answers that wait for the rest of their batch.
   */
  size = 0;

  /** A description of the exceeded limit; undefined if none is exceeded. */
  exceededLimit({ maxRunning = 256, maxRunningSize = 1 << 25 }: PeerOptions): string | undefined {
    if (this.calls.size > maxRunning) return `More than ${maxRunning} requests in flight`;
    if (this.size > maxRunningSize) return "Requests in flight are too large in total";
    return undefined;
  }
}
