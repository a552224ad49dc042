import type { Call } from "./call.ts";
import type { RequestId } from "./message.ts";
import type { PeerOptions } from "./peer-options.ts";

/** The unanswered requests of the other end and their size. */
export class RunningRequests {
  readonly #calls = new Map<RequestId, Call>();
  #size = 0;

  get calls(): ReadonlyMap<RequestId, Call> {
    return this.#calls;
  }

  /** An upper bound of their total size in UTF-16 units. */
  get size(): number {
    return this.#size;
  }

  add(id: RequestId, call: Call, size: number): void {
    this.#calls.set(id, call);
    this.#size += size;
  }

  delete(id: RequestId, size: number): void {
    this.#calls.delete(id);
    this.#size -= size;
  }

  /**
   * Adds to the size, for answers that wait for the rest of their batch; negative once they are
   * sent.
   */
  count(change: number): void {
    this.#size += change;
  }

  /** Which limit is exceeded, in words; undefined when none is. */
  crowd({ maxRunning = 256, maxRunningSize = 1 << 25 }: PeerOptions): string | undefined {
    if (this.#calls.size > maxRunning) return `More than ${maxRunning} requests in flight`;
    if (this.#size > maxRunningSize) return "Requests in flight are too large in total";
    return undefined;
  }
}
