import { isObject, type Params, type RequestId } from "./message.ts";

/** What a {@link Call} needs of the peer that received it. */
export interface CallOwner {
  /** What answers the calls that come. */
  readonly handler: object | undefined;
  notify(method: string, params?: Params): void;
  /** Tells the caller how far its request is, if it asked for that. */
  report(call: Call, progress: Progress): void;
}

/** How far a request is: MCP `notifications/progress`. `progress` must grow from call to call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * One request, or one notification, that the other end sent. Handlers receive it; it is theirs until
 * they return, or until the promise that they return is settled.
 */
export class Call {
  /** The request's id; undefined for a notification, whose result nobody hears. */
  readonly id: RequestId | undefined;
  readonly method: string;
  #params: Params | undefined;
  readonly #owner: CallOwner;
  #controller: AbortController | undefined;
  #abortReason: unknown;

  constructor(
    owner: CallOwner,
    id: RequestId | undefined,
    method: string,
    params: Params | undefined,
  ) {
    this.#owner = owner;
    this.id = id;
    this.method = method;
    this.#params = params;
  }

  /** What it says; after {@link Call.release} only the token of its progress. */
  get params(): Params | undefined {
    return this.#params;
  }

  /**
   * Lets go of the parameters. Whoever has decoded them calls it, so that a call that waits for a
   * person keeps nothing twice, and nothing that nobody asked for.
   */
  release(): void {
    const meta = this.#params?.["_meta"];
    const progressToken = isObject(meta) ? meta["progressToken"] : undefined;
    this.#params = progressToken === undefined ? undefined : { _meta: { progressToken } };
  }

  /** What the peer handed it to; MCP's server functions find their connection by it. */
  get receiver(): object | undefined {
    return this.#owner.handler;
  }

  /**
   * Aborted when the caller cancels the request or the connection closes. Made on first use, since
   * an AbortSignal costs more than the rest of a round trip.
   */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  /** Whether the caller has gone or has cancelled: then no answer is sent. */
  get aborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** Sends a notification to the caller. */
  notify(method: string, params?: Params): void {
    this.#owner.notify(method, params);
  }

  /** Tells the caller how far the request is; nothing is sent unless it asked for that. */
  progress(progress: Progress): void {
    if (!this.aborted) this.#owner.report(this, progress);
  }

  /** For the peer: ends the call from outside. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }
}
