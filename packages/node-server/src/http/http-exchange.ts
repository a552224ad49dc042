import type { RequestId } from "@idewire/core/rpc";
import type { HttpHeaders, Responder } from "./responder.ts";
import type { WaitingExchange } from "./slow-exchanges.ts";

/** What an exchange needs of the session that it belongs to. */
export interface ExchangeOwner {
  readonly headers: HttpHeaders;
  /** Those of an answer that is no stream. */
  readonly jsonHeaders: HttpHeaders;
  /** Whether a stream begins with an event without data, which names it (since 2025-11-25). */
  readonly primes: boolean;
  /** Begins a stream on a response, for the answers to some requests. */
  open(responder: Responder, ids: readonly RequestId[]): ExchangeStream;
}

/** The stream that answers a POST. */
export interface ExchangeStream {
  /** Whether the client reads it now. */
  readonly isOpen: boolean;
  /** Bytes that the client has not taken yet. */
  readonly waiting: number;
  push(frame: string): void;
  /** Sends the last frame, and ends. */
  finish(frame: string): void;
  /** Ends after what was sent. */
  complete(): void;
  /** Ends the response, and keeps what is to come for the client's return. */
  sendAway(retryMs: number): void;
  /** Keeps what is between us and the client from taking the stream for dead. */
  comment(): void;
}

export interface ExchangeOptions {
  readonly responder: Responder;
  /** The requests in the body. */
  readonly ids: readonly RequestId[];
  readonly takesJson: boolean;
  readonly takesEvents: boolean;
}

/** What is left of one POST: the answers to its requests, as one JSON text or as a stream of events. */
export class HttpExchange implements WaitingExchange {
  readonly #owner: ExchangeOwner;
  readonly #options: ExchangeOptions;
  /** The requests that wait for their answer. */
  ids: readonly RequestId[];
  #stream: ExchangeStream | undefined;

  constructor(owner: ExchangeOwner, options: ExchangeOptions) {
    this.#owner = owner;
    this.#options = options;
    this.ids = options.ids;
  }

  get isWaiting(): boolean {
    return this.ids.length > 0;
  }

  /** Whether an answer can still reach the client, now or when it returns. */
  get isReachable(): boolean {
    return this.#stream !== undefined || !this.#options.responder.ended;
  }

  /** Whether the client waits now: one that has left may return, or not. */
  get isOpen(): boolean {
    return this.#stream === undefined ? !this.#options.responder.ended : this.#stream.isOpen;
  }

  /** Whether what is no answer can be sent. */
  get takesEvents(): boolean {
    return this.#options.takesEvents && this.isReachable;
  }

  /** Bytes of the stream that the client has not taken yet. */
  get waiting(): number {
    return this.#stream?.waiting ?? 0;
  }

  /** Begins the stream, unless there is one, or the client takes none. */
  begin(): ExchangeStream | undefined {
    const { responder, takesEvents } = this.#options;
    if (this.#stream === undefined && takesEvents && !responder.ended) {
      this.#stream = this.#owner.open(responder, this.ids);
    }
    return this.#stream;
  }

  /** Stops waiting for the answer to a request; says whether it had waited. */
  release(id: RequestId): boolean {
    if (!this.ids.includes(id)) return false;
    this.ids = this.ids.filter((other) => other !== id);
    return true;
  }

  /** Sends what comes before the answer. */
  event(frame: string): void {
    this.begin()?.push(frame);
  }

  /** Sends the frame that answers all requests; nothing comes after it. */
  answer(frame: string): void {
    const { responder, takesJson } = this.#options;
    const stream = takesJson ? this.#stream : this.begin();
    this.ids = [];
    if (stream === undefined) responder.answer(200, this.#owner.jsonHeaders, frame);
    else stream.finish(frame);
  }

  /** Answers that what was asked could not be done. */
  fail(status: number, headers: HttpHeaders, frame: string): void {
    this.ids = [];
    if (this.#stream === undefined) this.#options.responder.answer(status, headers, frame);
    else this.#stream.finish(frame);
  }

  /** Answers that nothing in the body can be answered by its id (MCP 2025-11-25, Transports). */
  refuse(frame: string): void {
    this.ids = [];
    this.#options.responder.answer(400, this.#owner.jsonHeaders, frame);
  }

  /** Ends without an answer: there is nothing to say. */
  accept(): void {
    this.ids = [];
    if (this.#stream === undefined) this.#options.responder.answer(202, this.#owner.headers);
    else this.#stream.complete();
  }

  /**
   * Ends the response and keeps what is to come for the client's return.
   * @returns false, having done nothing, when the client could not know where to ask
   */
  sendAway(retryMs: number): boolean {
    const stream = this.#owner.primes ? this.begin() : undefined;
    if (stream === undefined) return false;
    stream.sendAway(retryMs);
    return true;
  }

  comment(): void {
    this.#stream?.comment();
  }

  /** The session ends: no answer will follow. */
  abandon(): void {
    if (this.#stream !== undefined) this.#stream.complete();
    else this.#options.responder.answer(503, {}, "The session ended\n");
  }
}
