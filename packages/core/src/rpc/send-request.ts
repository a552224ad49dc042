import { IdewireError } from "../errors.ts";
import { badResult } from "./bad-result.ts";
import type { Progress } from "./call.ts";
import { type Clock, systemClock } from "./clock.ts";
import {
  formatRequest,
  type Params,
  type RawMessage,
  type RequestId,
  toRpcError,
} from "./message.ts";
import type { Peer } from "./peer.ts";
import type { RequestOptions, SentRequests } from "./sent-requests.ts";

/** The resolution of deadlines: one timer serves all requests of a connection. */
const STEP_MS = 64;

/**
 * Sends a request to the other end of a peer. It is a function, so that a bundle contains it only where
 * requests are sent: most servers only answer.
 * @throws TypeError or RangeError, synchronously, when `params` cannot be serialised as JSON
 * @throws RpcError when the other end answers with an error
 * @throws IdewireError `closed`, `cancelled`, `timeout`, `protocol`, or `unreachable`, before anything is
 * sent, when the transport cannot reach the other end
 */
export function sendRequest(
  peer: Peer,
  method: string,
  params?: Params,
  options?: RequestOptions,
): Promise<unknown> {
  peer.requests ??= new PendingRequests(peer);
  return peer.requests.send(method, params, options);
}

/** What {@link sendRequest} is, for those that are given it. */
export type SendRequest = typeof sendRequest;

interface PendingRequest {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly options: RequestOptions | undefined;
  /** Called when the caller's signal aborts before the answer. */
  readonly onabort: (() => void) | undefined;
  deadline: number;
  readonly lastDeadline: number;
}

/** The requests of one end that are not answered yet. */
class PendingRequests implements SentRequests {
  readonly #peer: Peer;
  readonly #clock: Clock;
  readonly #pending = new Map<number, PendingRequest>();
  #nextId: number;
  #step = 0;
  #timer: unknown;

  constructor(peer: Peer) {
    // Out of the clients' range by default: some match answers by number alone.
    const { clock = systemClock, firstId = 1_000_000 } = peer.options;
    this.#peer = peer;
    this.#clock = clock;
    this.#nextId = firstId;
    if ("requests" in peer.transport) peer.transport.requests = this;
  }

  send(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    const { closing, transport, lifecycle } = this.#peer;
    const about = options?.about;
    if (closing !== undefined) return failed("closed", closing);
    if (options?.signal?.aborted === true) return Promise.reject(cancelledByCaller(method));
    if (transport.reaches?.(about) === false) {
      return failed("unreachable", `${method}: the other end takes no requests now`);
    }
    const id = this.#nextId++;
    options?.onSent?.(id);
    const frame = formatRequest(id, method, lifecycle?.prepare(params, id, options) ?? params);
    const answer = new Promise((resolve, reject) => {
      const lastDeadline = this.#after(options?.maxTotalTimeoutMs ?? Infinity);
      const deadline = Math.min(this.#after(options?.timeoutMs ?? 60_000), lastDeadline);
      const onabort = options?.signal && (() => this.#abandon(id, cancelledByCaller(method)));
      this.#pending.set(id, { method, resolve, reject, options, onabort, deadline, lastDeadline });
      if (onabort !== undefined) options?.signal?.addEventListener("abort", onabort);
      if (deadline < Infinity) this.#arm();
    });
    this.#peer.send(frame, about);
    return answer;
  }

  awaits(id: RequestId): boolean {
    return this.#pending.has(id as number);
  }

  fail(id: RequestId, error: Error): void {
    this.#take(id)?.reject(error);
  }

  settle(answer: RawMessage): boolean {
    const { id, error, result } = answer;
    const pending = this.#take(id);
    if (pending === undefined) return false;
    const isResult = result !== undefined && (error === undefined || error === null);
    if (isResult) pending.resolve(result);
    else {
      const bad = () => badResult("other end", pending.method, answer, this.#peer);
      pending.reject(toRpcError(error) ?? bad());
    }
    return true;
  }

  progress(id: unknown, progress: Progress): void {
    const pending = this.#pending.get(id as number);
    const options = pending?.options;
    if (options?.resetTimeoutOnProgress === true) this.hold(id, false);
    options?.onProgress?.(progress);
  }

  hold(id: unknown, isHeld: boolean): void {
    const pending = this.#pending.get(id as number);
    if (pending === undefined) return;
    const limit = this.#after(pending.options?.timeoutMs ?? 60_000);
    pending.deadline = isHeld ? Infinity : Math.min(limit, pending.lastDeadline);
    this.#arm();
  }

  close(why: string): void {
    for (const id of this.#pending.keys()) this.fail(id, new IdewireError("closed", why));
    this.#clock.clearTimeout(this.#timer);
  }

  /** Rejects a request and tells the other end that its answer is not wanted any more. */
  #abandon(id: number, error: IdewireError): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    pending.reject(error);
    if (pending.options?.silent === true) return;
    const frame = this.#peer.lifecycle?.takeBack(id, error.message);
    if (frame !== undefined) this.#peer.send(frame, pending.options?.about);
  }

  #take(id: unknown): PendingRequest | undefined {
    const pending = this.#pending.get(id as number);
    this.#pending.delete(id as number);
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
    this.#timer ??= this.#clock.setTimeout(() => this.#tick(), STEP_MS);
  }

  #tick(): void {
    this.#step += 1;
    this.#timer = undefined;
    for (const [id, { method, deadline, lastDeadline, options }] of this.#pending) {
      if (deadline <= this.#step) {
        const isTotal = deadline === lastDeadline;
        const ms = isTotal ? options?.maxTotalTimeoutMs : (options?.timeoutMs ?? 60_000);
        this.#abandon(id, timedOut(method, ms));
      } else if (deadline < Infinity) this.#arm();
    }
  }
}

function failed(code: "closed" | "unreachable", why: string): Promise<never> {
  return Promise.reject(new IdewireError(code, why));
}

/** The error of a request that has had no answer for so long. */
export function timedOut(method: string, ms: number | undefined): IdewireError {
  return new IdewireError("timeout", `${method}: no answer in ${ms} ms`);
}

/** The error of a request that its own caller has cancelled. */
export function cancelledByCaller(method: string): IdewireError {
  return new IdewireError("cancelled", `${method} was cancelled by its caller`);
}
