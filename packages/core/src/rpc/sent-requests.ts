import { IdewireError, RpcErrorCode } from "../errors.ts";
import { optionNames, requireKnownOptions } from "../misuse.ts";
import { badResult } from "./bad-result.ts";
import type { Progress } from "./call.ts";
import { type Clock, systemClock } from "./clock.ts";
import {
  asObject,
  formatRequest,
  type JsonCodec,
  type Params,
  type RawMessage,
  type RequestId,
  toRpcError,
} from "./message.ts";
import { ReceivedText } from "./received-text.ts";
import type { Redactor } from "./redactor.ts";
import type { RequestLifecycle } from "./request-lifecycle.ts";
import type { RequestOptions } from "./request-options.ts";
import type { RequestTracker, Transport } from "./transport.ts";

/** The peer that the requests are sent by. */
export interface RequestSender extends Redactor {
  readonly transport: Transport;
  readonly options: {
    readonly clock?: Clock;
    readonly firstId?: number;
    readonly json?: JsonCodec;
  };
  readonly lifecycle: RequestLifecycle | undefined;
  /** Why sending has stopped; undefined while open. */
  readonly closing: string | undefined;
  send(frame: string, about?: RequestId): void;
}

/** The resolution of deadlines: one timer serves all requests of a connection. */
const STEP_MS = 64;
const TIMEOUT_MS = 60_000;
/** Of a larger unexpected answer, in units of text, only the id is quoted: it is not serialised again. */
const LARGEST_QUOTED = 1 << 16;

const OPTIONS = optionNames<RequestOptions>({
  timeoutMs: true,
  resetTimeoutOnProgress: true,
  maxTotalTimeoutMs: true,
  onProgress: true,
  signal: true,
  silent: true,
  reissue: true,
  refresh: true,
  onSent: true,
  about: true,
});

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

/** The unanswered requests of one end. A peer creates it with its first request: most only answer. */
export class SentRequests implements RequestTracker {
  readonly #peer: RequestSender;
  readonly #clock: Clock;
  readonly #pending = new Map<number, PendingRequest>();
  #nextId: number;
  /** The newest message of the other end that was not understood. */
  #unread: ReceivedText | undefined;
  #step = 0;
  #timer: unknown;

  constructor(peer: RequestSender) {
    // Out of the clients' range by default: some match answers by number alone.
    const { clock = systemClock, firstId = 1_000_000 } = peer.options;
    this.#peer = peer;
    this.#clock = clock;
    this.#nextId = firstId;
    if ("requests" in peer.transport) peer.transport.requests = this;
  }

  send(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    const { closing, transport, lifecycle } = this.#peer;
    if (options !== undefined) requireKnownOptions(method, options, OPTIONS);
    const about = options?.about;
    if (closing !== undefined) return failed("closed", closing);
    if (options?.signal?.aborted === true) return Promise.reject(cancelledByCaller(method));
    if (transport.reaches?.(about) === false) {
      return failed("unreachable", `${method}: the other end takes no requests now`);
    }
    const id = this.#nextId++;
    options?.onSent?.(id);
    const { json } = this.#peer.options;
    const full = lifecycle?.prepare(params, id, options) ?? params;
    const frame = formatRequest(id, method, full, json);
    const answer = new Promise((resolve, reject) => {
      const lastDeadline = this.#after(options?.maxTotalTimeoutMs ?? Infinity);
      const deadline = Math.min(this.#after(options?.timeoutMs ?? TIMEOUT_MS), lastDeadline);
      const onabort = options?.signal && (() => this.#abandon(id, cancelledByCaller(method)));
      this.#pending.set(id, { method, resolve, reject, options, onabort, deadline, lastDeadline });
      if (onabort !== undefined) options?.signal?.addEventListener("abort", onabort);
      if (deadline < Infinity) this.#arm();
    });
    this.#peer.send(frame, about);
    return answer;
  }

  /** Whether a request is still unanswered. */
  awaits(id: RequestId): boolean {
    return this.#pending.has(id as number);
  }

  fail(id: RequestId, error: Error): void {
    this.#take(id)?.reject(error);
  }

  /**
   * Settles the request that an answer belongs to; false when there is none.
   * @param size how many units of text the answer had
   */
  settle(answer: RawMessage, size = 0): boolean {
    const { id, error, result } = answer;
    const pending = this.#take(id) ?? this.#take(this.#meantBy(answer));
    if (pending === undefined) {
      this.unread(JSON.stringify(size > LARGEST_QUOTED ? { id } : answer));
      return false;
    }
    const isResult = result !== undefined && (error === undefined || error === null);
    if (isResult) pending.resolve(result);
    else {
      const bad = () => badResult("other end", pending.method, answer, this.#peer);
      pending.reject(toRpcError(error) ?? bad());
    }
    return true;
  }

  /** Stores a text that was not understood, for the error of a time-out. */
  unread(text: string): void {
    this.#unread ??= new ReceivedText();
    this.#unread.add(text);
  }

  /**
   * The request of an answer with another spelling of its id: a number as a string; or null, in an error of an end
   * that could not read the request (JSON-RPC 2.0 section 5), which is certain while one request is unanswered.
   * Some ends refuse notifications by "Method not found" with null.
   */
  #meantBy({ id, error }: RawMessage): unknown {
    if (typeof id === "string") return String(Number(id)) === id ? Number(id) : undefined;
    const { code } = asObject(error);
    const isUnread = typeof code === "number" && code !== RpcErrorCode.MethodNotFound;
    if ((id ?? null) !== null || !isUnread || this.#pending.size !== 1) return undefined;
    return this.#pending.keys().next().value;
  }

  /** Takes a progress notification for a request. */
  progress(id: unknown, progress: Progress): void {
    const pending = this.#pending.get(id as number);
    const options = pending?.options;
    if (options?.resetTimeoutOnProgress === true) this.hold(id, false);
    options?.onProgress?.(this.#peer.redact(progress));
  }

  hold(id: unknown, isHeld: boolean): void {
    const pending = this.#pending.get(id as number);
    if (pending === undefined) return;
    const limit = this.#after(pending.options?.timeoutMs ?? TIMEOUT_MS);
    pending.deadline = isHeld ? Infinity : Math.min(limit, pending.lastDeadline);
    this.#arm();
  }

  /** Rejects all of them with `closed`. */
  close(why: string): void {
    for (const id of this.#pending.keys()) this.fail(id, new IdewireError("closed", why));
    this.#clock.clearTimeout(this.#timer);
  }

  /** Rejects a request after its time-out; the error quotes what the other end has sent in place of an answer. */
  #expire(id: number, error: IdewireError): void {
    const partial = this.#peer.transport.partial?.() ?? "";
    if (this.#unread === undefined && partial === "") {
      this.#abandon(id, error);
      return;
    }
    this.hold(id, true);
    const received = this.#unread ?? new ReceivedText();
    void received.quote(partial, this.#peer).then((quoted) => {
      const words = quoted === undefined ? "" : `; received and not understood: ${quoted}`;
      this.#abandon(id, new IdewireError("timeout", `${error.message}${words}`));
    });
  }

  /** Rejects a request and cancels it at the other end. */
  #abandon(id: number, error: IdewireError): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    pending.reject(error);
    if (pending.options?.silent === true) return;
    const frame = this.#peer.lifecycle?.cancel(id, error.message);
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
        const ms = isTotal ? options?.maxTotalTimeoutMs : (options?.timeoutMs ?? TIMEOUT_MS);
        const isRestarted = !isTotal && options?.resetTimeoutOnProgress === true;
        this.#expire(id, timedOut(method, ms, isRestarted ? "answer or progress" : "answer"));
      } else if (deadline < Infinity) this.#arm();
    }
  }
}

function failed(code: "closed" | "unreachable", why: string): Promise<never> {
  return Promise.reject(new IdewireError(code, why));
}

/** The error of a request without an answer in time. */
export function timedOut(method: string, ms: number | undefined, missed = "answer"): IdewireError {
  return new IdewireError("timeout", `${method}: no ${missed} in ${ms} ms`);
}

/** The error of a request that its own caller has cancelled. */
export function cancelledByCaller(method: string): IdewireError {
  return new IdewireError("cancelled", `${method} was cancelled by its caller`);
}
