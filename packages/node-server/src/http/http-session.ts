import type { ServerResponse } from "node:http";
import { CloseCode, type CloseReason, isObject, type Transport } from "@idewire/core";
import { HttpExchange, startEvents, writeEvent } from "./http-exchange.ts";

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
  #events: ServerResponse | undefined;
  #closed = false;

  constructor(id: string) {
    this.id = id;
  }

  get bufferedAmount(): number {
    let waiting = this.#events?.writableLength ?? 0;
    for (const exchange of this.#exchanges) waiting += exchange.waiting;
    return waiting;
  }

  /** Whether somebody waits or listens. */
  get isBusy(): boolean {
    return this.#events !== undefined || this.#exchanges.size > 0;
  }

  /** Takes the body of a POST; its answers go to `response`. */
  take(body: string, ids: readonly string[], response: ServerResponse, takesEvents: boolean): void {
    const exchange = new HttpExchange(response, { ids, takesEvents });
    this.#exchanges.add(exchange);
    // To leave is not to cancel: the answer is dropped when it comes.
    response.on("close", () => this.#exchanges.delete(exchange));
    this.onframe?.(body);
  }

  /** Takes notifications and answers, which are not answered. */
  tell(body: string): void {
    this.onframe?.(body);
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
    const ids = answeredIds(frame);
    if (ids.length > 0) this.#answer(ids, frame);
    else this.#event(frame);
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

  #answer(ids: readonly string[], frame: string): void {
    for (const exchange of this.#exchanges) {
      if (!ids.some((id) => exchange.waitsFor(id))) continue;
      if (exchange.answer(ids, frame, this.headers)) this.#exchanges.delete(exchange);
      return;
    }
  }

  #event(frame: string): void {
    if (this.bufferedAmount > MAX_WAITING_BYTES) return;
    const waiting = [...this.#exchanges].find(({ takesEvents }) => takesEvents);
    if (this.#events !== undefined) writeEvent(this.#events, frame);
    else waiting?.event(frame, this.headers);
  }
}

/** How an answer of core's begins, in which the id comes before anything that may be long. */
const ANSWER = /^\{"jsonrpc":"2\.0","id":("(?:[^"\\]|\\.)*"|[^",]+),"(?:result|error)":/;

/** The ids that a frame answers, as JSON; none when it is no answer. */
function answeredIds(frame: string): string[] {
  const id = ANSWER.exec(frame)?.[1];
  if (id !== undefined) return [id];
  const value: unknown = JSON.parse(frame);
  const messages = Array.isArray(value) ? value : [value];
  return messages
    .filter((message) => isObject(message) && message["method"] === undefined)
    .map((message) => JSON.stringify((message as { readonly id: unknown }).id));
}

/** The ids of the requests in a body, as JSON. */
export function requestedIds(value: unknown): string[] {
  const messages = Array.isArray(value) ? value : [value];
  return messages
    .filter((message) => isObject(message) && "method" in message && "id" in message)
    .map((message) => JSON.stringify((message as { readonly id: unknown }).id));
}
