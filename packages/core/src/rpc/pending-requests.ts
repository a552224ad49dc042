import { IdewireError, RpcError } from "../errors.ts";
import type { Progress } from "./call.ts";
import type { Clock } from "./clock.ts";
import { describeValue, isObject, type RawMessage } from "./message.ts";

/** Deadlines are counted in steps of this length, on one timer for all requests of a connection. */
const STEP_MS = 64;

/** How one request is sent and awaited. */
export interface RequestOptions {
  /** How long to wait for the answer; 60,000 when left out; Infinity waits for ever. */
  readonly timeoutMs?: number;
  /** Starts the time anew at each progress notification. */
  readonly resetTimeoutOnProgress?: boolean;
  /** The longest wait whatever the progress; without it there is no such bound. */
  readonly maxTotalTimeoutMs?: number;
  /** Asks the other end for progress notifications, and hears them. */
  readonly onProgress?: (progress: Progress) => void;
  /** Cancels the request: the other end is told, and the promise rejects with `cancelled`. */
  readonly signal?: AbortSignal;
  /** Does not tell the other end when we give up: MCP's `initialize` is never cancelled. */
  readonly silent?: boolean;
}

class Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  readonly options: RequestOptions | undefined;
  deadline: number;
  lastDeadline: number;
  detach: (() => void) | undefined = undefined;

  constructor(
    resolve: (result: unknown) => void,
    reject: (error: Error) => void,
    options: RequestOptions | undefined,
    deadline: number,
    lastDeadline: number,
  ) {
    this.resolve = resolve;
    this.reject = reject;
    this.options = options;
    this.deadline = deadline;
    this.lastDeadline = lastDeadline;
  }
}

/** The requests that one end has sent and not yet heard an answer to. */
export class PendingRequests {
  readonly #pending = new Map<number, Pending>();
  readonly #clock: Clock;
  readonly #ontimeout: (id: number) => void;
  #step = 0;
  #timer: unknown;

  constructor(clock: Clock, ontimeout: (id: number) => void) {
    this.#clock = clock;
    this.#ontimeout = ontimeout;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Waits for the answer to `id`; the executor's functions are called exactly once. */
  wait(id: number, options: RequestOptions | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const last = this.#after(options?.maxTotalTimeoutMs ?? Infinity);
      const deadline = Math.min(this.#after(options?.timeoutMs ?? 60_000), last);
      this.#pending.set(id, new Pending(resolve, reject, options, deadline, last));
      if (this.#timer === undefined && deadline !== Infinity) this.#arm();
    });
  }

  /** Ends `id` with an error of our own; says whether the other end has to hear of it. */
  reject(id: number, error: Error): boolean {
    const pending = this.#take(id);
    pending?.reject(error);
    return pending !== undefined && pending.options?.silent !== true;
  }

  /** Calls `detach` when `id` is settled, however that comes. */
  whenSettled(id: number, detach: () => void): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) pending.detach = detach;
  }

  /** Takes an answer; false when nobody waits for it. */
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

  /** Takes a progress notification's parameters. */
  progress(params: Readonly<Record<string, unknown>> | undefined): void {
    const token = params?.["progressToken"];
    const pending = typeof token === "number" ? this.#pending.get(token) : undefined;
    const progress = toProgress(params);
    if (pending?.options === undefined || progress === undefined) return;
    const { onProgress, resetTimeoutOnProgress, timeoutMs = 60_000 } = pending.options;
    if (resetTimeoutOnProgress === true) {
      pending.deadline = Math.min(this.#after(timeoutMs), pending.lastDeadline);
    }
    onProgress?.(progress);
  }

  /** Ends all of them. */
  close(error: Error): void {
    for (const id of [...this.#pending.keys()]) this.reject(id, error);
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending !== undefined) {
      this.#pending.delete(id);
      pending.detach?.();
    }
    return pending;
  }

  /** The step by which at least `delayMs` have passed. */
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
      if (pending.deadline <= this.#step) this.#ontimeout(id);
      else if (pending.deadline !== Infinity) someWait = true;
    }
    if (someWait && this.#timer === undefined) this.#arm();
  }
}

/** Whether the other end has to be asked for progress. */
export function wantsProgress(options: RequestOptions | undefined): boolean {
  return options?.onProgress !== undefined || options?.resetTimeoutOnProgress === true;
}

function isErrorObject(error: unknown): error is { code: number; message: unknown; data: unknown } {
  return isObject(error) && typeof error["code"] === "number";
}

function toProgress(params: Readonly<Record<string, unknown>> | undefined): Progress | undefined {
  const progress = params?.["progress"];
  if (typeof progress !== "number") return undefined;
  const total = params?.["total"];
  const message = params?.["message"];
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
}

function protocolError(what: string): IdewireError {
  return new IdewireError("protocol", `The other end sent ${what}`);
}
