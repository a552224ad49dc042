import type { Call } from "./call.ts";
import type { RequestId } from "./message.ts";

interface RunningCall {
  readonly call: Call;
  readonly size: number;
}

/** The requests of the other end that are being answered. */
export class RunningCalls {
  readonly #running = new Map<RequestId, RunningCall>();
  #size = 0;

  get count(): number {
    return this.#running.size;
  }

  /** How many units of text their frames had together. */
  get size(): number {
    return this.#size;
  }

  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  add(id: RequestId, call: Call, size: number): void {
    this.#running.set(id, { call, size });
    this.#size += size;
  }

  delete(id: RequestId): void {
    this.#size -= this.#running.get(id)?.size ?? 0;
    this.#running.delete(id);
  }

  /** Tells one of them that its answer is not wanted any more. */
  abort(id: RequestId, reason: Error): void {
    this.#running.get(id)?.call.abort(reason);
  }

  abortAll(reason: Error): void {
    for (const { call } of this.#running.values()) call.abort(reason);
  }
}
