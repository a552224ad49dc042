import { describeValue, isObject, isRequestId } from "@idewire/core/internal";
import { CloseCode, type CloseReason, type RequestId, type Transport } from "@idewire/core/rpc";
import type { ServerConnection } from "@idewire/core/server";
import { type EventStream, EventStreams, StreamOfExchange } from "./event-streams.ts";
import { type ExchangeOwner, type ExchangeStream, HttpExchange } from "./http-exchange.ts";
import type { JsonBody } from "./json-body.ts";
import { Refused } from "./refused.ts";
import { keepReleasable } from "./releasable.ts";
import { accepts, type RequestHead } from "./request-head.ts";
import { requestedIds } from "./requested-ids.ts";
import type { HttpHeaders, Responder } from "./responder.ts";

/** How many UTF-16 units of events are kept for a client that returns. */
const MAX_KEPT_SIZE = 1 << 20;

/** What a session is made with. */
export interface HttpSessionOptions {
  /** Undefined where the client is not to come back by it. */
  readonly id: string | undefined;
  /** Whose it is. */
  readonly principal: string;
  readonly connect: (transport: Transport) => ServerConnection;
}

const json: HttpHeaders = { "content-type": "application/json" };

/**
 * One client of Streamable HTTP as a transport (MCP 2025-11-25, Transports): answers, and what belongs
 * to a request, go to the POST that brought it; all else goes to the stream of a GET.
 */
export class HttpSession implements Transport, ExchangeOwner {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly id: string | undefined;
  readonly principal: string;
  readonly connection: ServerConnection;
  /** When the client was last heard of, in milliseconds since 1970. */
  lastSeenMs: number = Date.now();
  readonly #headers: readonly [HttpHeaders, HttpHeaders];
  readonly #exchanges = new Set<HttpExchange>();
  #streams: EventStreams | undefined;
  /** The stream of a GET. */
  #general: EventStream | undefined;
  #closed = false;

  constructor({ id, principal, connect }: HttpSessionOptions) {
    this.id = id;
    this.principal = principal;
    const named = id === undefined ? {} : { "mcp-session-id": id };
    this.#headers = [named, { ...named, ...json }];
    this.connection = connect(this);
    keepReleasable(this.connection, this);
  }

  /** They name the session once there is one: an `initialize` that is refused opens none. */
  get headers(): HttpHeaders {
    return this.connection.revision === undefined ? {} : this.#headers[0];
  }

  get jsonHeaders(): HttpHeaders {
    return this.connection.revision === undefined ? json : this.#headers[1];
  }

  get bufferedAmount(): number {
    let waiting = this.#general?.responder?.bufferedAmount ?? 0;
    for (const exchange of this.#exchanges) waiting += exchange.waiting;
    return waiting;
  }

  get primes(): boolean {
    return this.id !== undefined && (this.connection.revision ?? "") >= "2025-11-25";
  }

  /** Whether a request or a stream of the client is open. */
  get isBusy(): boolean {
    if (this.#general?.responder !== undefined) return true;
    for (const exchange of this.#exchanges) if (exchange.isOpen) return true;
    return false;
  }

  open(responder: Responder): ExchangeStream {
    const stream = this.#allStreams().open(responder, this.headers, this.primes);
    return new StreamOfExchange(this.#allStreams(), stream);
  }

  #allStreams(): EventStreams {
    this.#streams ??= new EventStreams({
      tag: this.id?.slice(0, 8) ?? "",
      maxSize: MAX_KEPT_SIZE,
      onDrain: () => this.ondrain?.(),
    });
    return this.#streams;
  }

  /**
   * Takes the body of a POST, which is answered whatever it says: with the answers to its requests,
   * with 400 when nothing in it can be answered by its id, and with 202 when nothing is to be said.
   * @returns the exchange, if its answer is still to come
   */
  take(
    { size, value }: JsonBody,
    head: RequestHead,
    responder: Responder,
  ): HttpExchange | undefined {
    if (this.#closed) throw new Refused(404, "The session has ended: send initialize again");
    const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
    const ids = requestedIds(messages);
    const twice = ids.find((id) => this.#exchangeOf(id) !== undefined);
    if (twice !== undefined) {
      throw new Refused(400, `Invalid Request: id ${describeValue(twice)} is still in use`);
    }
    const exchange = new HttpExchange(this, {
      responder,
      ids,
      takesJson: accepts(head, "application/json"),
      takesEvents: accepts(head, "text/event-stream"),
    });
    this.#exchanges.add(exchange);
    let isAnswered = false;
    this.connection.peer.receive(value, size, (frame) => {
      if (frame === undefined) return;
      isAnswered = true;
      this.#answer(exchange, frame);
    });
    for (const message of messages) this.#takeBack(message);
    if (isAnswered) return undefined;
    if (exchange.isWaiting) return exchange;
    this.#accept(exchange);
    return undefined;
  }

  /**
   * Opens the stream of a GET, or goes on with the one that `Last-Event-ID` names.
   * @throws Refused when there is one already, or nothing is known of the event
   */
  listen(head: RequestHead, responder: Responder): void {
    const lastEventId = head.header("last-event-id");
    if (lastEventId === undefined) this.#openGeneral(responder);
    else this.#resume(lastEventId, responder);
  }

  send(frame: string, about?: RequestId): void {
    if (this.#closed) return;
    const exchange = about === undefined ? undefined : this.#exchangeOf(about);
    if (exchange?.takesEvents === true) exchange.event(frame);
    else if (this.#general !== undefined) this.#allStreams().push(this.#general, frame);
  }

  reaches(about?: RequestId): boolean {
    if (this.#general !== undefined) return true;
    return about !== undefined && this.#exchangeOf(about)?.takesEvents === true;
  }

  /** Ends the response that a request waits on; the client asks for the rest after `retryMs`. */
  releaseStream(about: RequestId, retryMs: number): boolean {
    return this.#exchangeOf(about)?.sendAway(retryMs) === true;
  }

  /** Keeps the streams alive. */
  comment(): void {
    this.#general?.responder?.write(":\n\n");
    for (const exchange of this.#exchanges) exchange.comment();
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#closed) return;
    this.#closed = true;
    // What was answered in this turn leaves first.
    setImmediate(() => {
      for (const exchange of this.#exchanges) exchange.abandon();
      this.#general?.responder?.end();
      this.onclose?.({ code, reason });
    });
  }

  #openGeneral(responder: Responder): void {
    if (this.#general?.responder !== undefined) {
      throw new Refused(409, "This session has a stream already");
    }
    this.#general = this.#allStreams().open(responder, this.headers, this.primes);
  }

  #resume(lastEventId: string, responder: Responder): void {
    const found = this.#streams?.find(lastEventId);
    if (found === undefined) {
      const seen = JSON.stringify(lastEventId.slice(0, 60));
      throw new Refused(400, `Last-Event-ID: ${seen} is no event that is kept for this session`);
    }
    responder.begin(this.headers);
    this.#allStreams().resume(found.stream, found.place, responder);
  }

  #exchangeOf(about: RequestId): HttpExchange | undefined {
    for (const exchange of this.#exchanges) if (exchange.ids.includes(about)) return exchange;
    return undefined;
  }

  #answer(exchange: HttpExchange, frame: string): void {
    // Its requests have been taken back.
    if (!this.#exchanges.delete(exchange)) return;
    if (isUnnamed(frame) || !exchange.isWaiting) exchange.refuse(frame);
    else exchange.answer(frame);
  }

  /** A request that is cancelled gets no answer (MCP 2025-11-25, Cancellation); its POST does. */
  #takeBack(message: unknown): void {
    if (!isObject(message) || message["method"] !== "notifications/cancelled") return;
    const { params } = message;
    const id = isObject(params) ? params["requestId"] : undefined;
    if (!isRequestId(id)) return;
    for (const exchange of this.#exchanges) {
      if (exchange.release(id) && !exchange.isWaiting) this.#accept(exchange);
    }
  }

  #accept(exchange: HttpExchange): void {
    this.#exchanges.delete(exchange);
    exchange.accept();
  }
}

/** Whether an answer is an error to what cannot be told. */
export function isUnnamed(frame: string): boolean {
  return frame.startsWith('{"jsonrpc":"2.0","error":');
}
