import { IdewireError, RpcError } from "../errors.ts";
import type { Progress } from "./call.ts";
import type { Clock } from "./clock.ts";
import { describeValue, isObject, type RawMessage, type RequestId } from "./message.ts";

/** The resolution of deadlines: one timer serves all requests of a connection. */
const STEP_MS = 64;

/** Options of one request. */
export interface RequestOptions {
  /** How long to wait for the answer; 60,000 by default, Infinity for no limit. */
  readonly timeoutMs?: number;
  /** Whether each progress notification restarts the time-out. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The longest wait regardless of progress; unlimited by default. */
  readonly maxTotalTimeoutMs?: number;
  /** Requests progress notifications and receives them. */
  readonly onProgress?: (progress: Progress) => void;
  /** Cancels the request: the other end is notified, and the promise rejects with `cancelled`. */
  readonly signal?: AbortSignal;
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

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly options: RequestOptions | undefined;
  readonly onabort: (() => void) | undefined;
  deadline: number;
  readonly lastDeadline: number;
}

/** The requests of one end that are not answered yet. */
export class PendingRequests {
  readonly #pending = new Map<number, PendingRequest>();
  readonly #clock: Clock;
  readonly #ontimeout: (id: number, about: RequestId | undefined) => void;
  #step = 0;
  #timer: unknown;

  constructor(clock: Clock, ontimeout: (id: number, about: RequestId | undefined) => void) {
    this.#clock = clock;
    this.#ontimeout = ontimeout;
  }

  /**
   * Waits for the answer to `id`.
   * @param onabort called when the caller's signal aborts before the answer
   */
  wait(
    id: number,
    options: RequestOptions | undefined,
    onabort: (() => void) | undefined,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const lastDeadline = this.#after(options?.maxTotalTimeoutMs ?? Infinity);
      const deadline = Math.min(this.#after(options?.timeoutMs ?? 60_000), lastDeadline);
      this.#pending.set(id, { resolve, reject, options, onabort, deadline, lastDeadline });
      if (onabort !== undefined) options?.signal?.addEventListener("abort", onabort);
      if (this.#timer === undefined && deadline !== Infinity) this.#arm();
    });
  }

  has(id: unknown): boolean {
    return this.#pending.has(id as number);
  }

  /** Rejects a request with a local error; returns whether to notify the other end. */
  reject(id: number, error: Error): boolean {
    const pending = this.#take(id);
    pending?.reject(error);
    return pending !== undefined && pending.options?.silent !== true;
  }

  /** Settles the request that an answer belongs to; false when there is none. */
  settle(response: RawMessage): boolean {
    const pending = typeof response.id === "number" ? this.#take(response.id) : undefined;
    if (pending === undefined) return false;
    const { error, result } = response;
    if (error === undefined || error === null) {
      if (result === undefined) pending.reject(protocolError("an answer without a result"));
      else pending.resolve(result);
    } else if (isErrorObject(error)) {
      const { code, message, data } = error;
      const words = typeof message === "string" ? message : describeValue(message);
      pending.reject(new RpcError(code, words, data));
    } else {
      pending.reject(protocolError("an error that is not an error object"));
    }
    return true;
  }

  /** Takes a progress notification for a request. */
  progress(id: unknown, progress: Progress): void {
    const pending = this.#pending.get(id as number);
    if (pending?.options === undefined) return;
    const { onProgress, resetTimeoutOnProgress, timeoutMs = 60_000 } = pending.options;
    if (resetTimeoutOnProgress === true) {
      pending.deadline = Math.min(this.#after(timeoutMs), pending.lastDeadline);
    }
    onProgress?.(progress);
  }

  /** Rejects all of them. */
  close(error: Error): void {
    for (const id of this.#pending.keys()) this.reject(id, error);
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #take(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending?.onabort !== undefined) {
      pending.options?.signal?.removeEventListener("abort", pending.onabort);
    }
    return pending;
  }

  /** The step at which at least `delayMs` have passed. */
  #after(delayMs: number): number {
    return this.#step + Math.ceil(delayMs / STEP_MS) + 1;
  }

  #arm(): void {
    this.#timer = this.#clock.setTimeout(() => this.#tick(), STEP_MS);
  }

  #tick(): void {
    this.#step += 1;
    this.#timer = undefined;
    let someWait = false;
    for (const [id, pending] of this.#pending) {
      if (pending.deadline <= this.#step) this.#ontimeout(id, pending.options?.about);
      else if (pending.deadline !== Infinity) someWait = true;
    }
    if (someWait && this.#timer === undefined) this.#arm();
  }
}

function isErrorObject(error: unknown): error is { code: number; message: unknown; data: unknown } {
  return isObject(error) && typeof error["code"] === "number";
}

function protocolError(what: string): IdewireError {
  return new IdewireError("protocol", `The other end sent ${what}`);
}
