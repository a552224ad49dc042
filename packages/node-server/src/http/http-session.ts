import type { ServerResponse } from "node:http";
import {
  CloseCode,
  type CloseReason,
  isObject,
  isRequestId,
  type Peer,
  type RequestId,
  type Transport,
} from "@idewire/core";
import { HttpExchange, startEvents, writeEvent } from "./http-exchange.ts";
import type { JsonBody } from "./read-json.ts";
import { Refused } from "./refused.ts";

/** A client that reads nothing is sent no more than this that it did not ask for. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * One client of Streamable HTTP as a transport (MCP 2025-11-25, Transports): answers go to the POST
 * that asked, all else to the stream of a GET, or to a POST that waits.
 */
export class HttpSession implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly id: string;
  /** When the client was last heard of, in milliseconds since 1970. */
  lastSeenMs: number = Date.now();
  readonly #exchanges = new Set<HttpExchange>();
  /** What takes the bodies. */
  readonly peer: Peer;
  #events: ServerResponse | undefined;
  #closed = false;

  /** @param connect makes the peer whose transport this is */
  constructor(id: string, connect: (transport: Transport) => Peer) {
    this.id = id;
    this.peer = connect(this);
  }

  get bufferedAmount(): number {
    let waiting = this.#events?.writableLength ?? 0;
    for (const exchange of this.#exchanges) waiting += exchange.waiting;
    return waiting;
  }

  /** Whether a request or a stream is open. */
  get isBusy(): boolean {
    return this.#events !== undefined || this.#exchanges.size > 0;
  }

  /**
   * Takes the body of a POST, which is answered whatever it says: with the answers to its requests,
   * with 400 when nothing in it can be answered by its id, and with 202 when nothing is to be said.
   */
  take({ size, value }: JsonBody, response: ServerResponse, takesEvents: boolean): void {
    if (this.#closed) throw new Refused(404, "The session has ended: send initialize again");
    const messages = Array.isArray(value) ? value : [value];
    const exchange = new HttpExchange(response, { ids: requestedIds(messages), takesEvents });
    this.#exchanges.add(exchange);
    // To leave is not to cancel: the answer is dropped when it comes.
    response.on("close", () => this.#exchanges.delete(exchange));
    this.peer.receive(value, size, (frame, id) => this.#answer(exchange, frame, id));
    for (const id of cancelledIds(messages)) this.#release(id);
    if (exchange.isSettled) this.#exchanges.delete(exchange);
    else if (!exchange.waits) this.#accept(exchange);
  }

  /** Opens the stream of a GET; false when there is one already. */
  listen(response: ServerResponse): boolean {
    if (this.#events !== undefined) return false;
    this.#events = response;
    startEvents(response, this.headers);
    response.on("drain", () => this.ondrain?.());
    response.on("close", () => {
      if (this.#events === response) this.#events = undefined;
    });
    return true;
  }

  get headers(): Readonly<Record<string, string>> {
    return { "mcp-session-id": this.id };
  }

  send(frame: string): void {
    if (this.#closed) return;
    if (this.bufferedAmount > MAX_WAITING_BYTES) return;
    const waiting = [...this.#exchanges].find(({ takesEvents }) => takesEvents);
    if (this.#events !== undefined) writeEvent(this.#events, frame);
    else waiting?.event(frame, this.headers);
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#closed) return;
    this.#closed = true;
    // What was answered in this turn leaves first.
    setImmediate(() => {
      for (const exchange of this.#exchanges) exchange.abandon();
      this.#events?.end();
      this.onclose?.({ code, reason });
    });
  }

  #answer(exchange: HttpExchange, frame: string, id: RequestId | null | undefined): void {
    // Its client has left, or has taken its requests back.
    if (!this.#exchanges.delete(exchange)) return;
    if (id === null || !exchange.waits) exchange.refuse(frame, this.headers);
    else exchange.answer(frame, this.headers);
  }

  /** A request that was cancelled gets no answer (MCP 2025-11-25, Cancellation); its POST does. */
  #release(id: string): void {
    for (const exchange of this.#exchanges) {
      if (exchange.release(id) && !exchange.waits) this.#accept(exchange);
    }
  }

  #accept(exchange: HttpExchange): void {
    exchange.accept(this.headers);
    this.#exchanges.delete(exchange);
  }
}

/** The ids of the requests in a body, as JSON: everything else in it gets no answer. */
function requestedIds(messages: readonly unknown[]): string[] {
  return messages
    .filter(isObject)
    .filter((message) => "method" in message && isRequestId(message["id"]))
    .map((message) => JSON.stringify(message["id"]));
}

/** The ids, as JSON, of the requests that are taken back. */
function cancelledIds(messages: readonly unknown[]): string[] {
  return messages
    .filter(isObject)
    .filter(({ method }) => method === "notifications/cancelled")
    .map(({ params }) => JSON.stringify(isObject(params) ? params["requestId"] : undefined));
}
