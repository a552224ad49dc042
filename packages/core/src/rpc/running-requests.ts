import type { Call } from "./call.ts";
import type { RequestId } from "./message.ts";
import type { PeerOptions } from "./peer-options.ts";

/** The requests of the other end that are not answered yet, and what they hold. */
export class RunningRequests {
  readonly #calls = new Map<RequestId, Call>();
  #size = 0;

  get calls(): ReadonlyMap<RequestId, Call> {
    return this.#calls;
  }

  /** How many units of text they hold together, at most. */
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

  /** Counts answers that wait for the rest of their batch, or no longer do. */
  count(change: number): void {
    this.#size += change;
  }

  /** What is too much of them, in words; undefined when nothing is. */
  crowd({ maxRunning = 256, maxRunningSize = 1 << 25 }: PeerOptions): string | undefined {
    if (this.#calls.size > maxRunning) return `More than ${maxRunning} requests in flight`;
    if (this.#size > maxRunningSize) return "Requests too large together in flight";
    return undefined;
  }
}
