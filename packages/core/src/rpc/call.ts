import { asObject, type Params, type RequestId } from "./message.ts";

/** The caller: receives messages sent before the answer. MCP's server functions find the caller in it. */
export interface CallOwner {
  notify(method: string, params?: Params, about?: RequestId): void;
  /** Sends the caller a progress notification if it asked for them. */
  report(call: Call<unknown>, progress: Progress): void;
}

/** The parameters of MCP's `notifications/progress`. `progress` must increase with each call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * One request or notification of the other end, passed to its handler. It is in progress until the
 * handler returns, or until the returned promise settles.
 * @typeParam P the assumed type of the parameters
 */
export class Call<P = Params | undefined> {
  /** The request's id; undefined for a notification, whose result is discarded. */
  readonly id: RequestId | undefined;
  readonly method: string;
  /** The parameters; after {@link releaseParams} only the progress token and the trace context are left. */
  params: P;
  /** Replaced when other code takes the caller's part. */
  owner: CallOwner;
  /** For the answering code: called if the call is aborted before the answer. */
  onabort: (() => void) | undefined;
  #controller: AbortController | undefined;
  #abortReason: unknown;
  #answered = false;

  constructor(owner: CallOwner, id: RequestId | undefined, method: string, params: P) {
    this.owner = owner;
    this.id = id;
    this.method = method;
    this.params = params;
  }

  /**
   * Aborted when the caller cancels the request or the connection closes. Created on first use: an
   * AbortSignal costs more than the rest of a round trip.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  /** Whether the caller has cancelled or disconnected; then no answer is sent. */
  get aborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Sends a notification to the caller. */
  notify(method: string, params?: Params): void {
    this.owner.notify(method, params, this.id);
  }

  /** Reports progress to the caller, if it asked for that and is not answered yet. */
  progress(progress: Progress): void {
    if (!this.aborted && !this.#answered) this.owner.report(this, progress);
  }

  /** For the answering code: marks the call as answered. */
  answered(): void {
    this.#answered = true;
    this.onabort = undefined;
  }

  /** For the answering code: aborts the call. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    this.onabort?.();
  }
}

/**
 * Discards the parameters of a call once they are decoded, so that a call that waits for a person does not
 * retain a second copy.
 */
export function releaseParams(call: Call): void {
  const { progressToken, traceparent } = asObject(call.params?.["_meta"]);
  const isEmpty = progressToken === undefined && traceparent === undefined;
  call.params = isEmpty
    ? undefined
    : {
        _meta: {
          ...(progressToken !== undefined && { progressToken }),
          ...(traceparent !== undefined && { traceparent }),
        },
      };
}
