import {
  type Clock,
  CloseCode,
  type CloseReason,
  type HeaderTransport,
  IdewireError,
  type RequestId,
  type RequestTracker,
  RpcError,
  systemClock,
  type Transport,
} from "@idewire/core";
import { isModernError, refusedBy, undelivered } from "./failures.ts";
import { FollowedStream } from "./followed-stream.ts";
import { HttpChannel, type HttpOptions } from "./http-channel.ts";
import { exchange } from "./modern-exchange.ts";
import type { FindSchema } from "./modern-headers.ts";
import { type OutgoingMessage, readEnvelope, readRevision } from "./outgoing-message.ts";
import { discard, isEventStream, mediaType, readText } from "./read-text.ts";
import { openSse, type SsePost } from "./sse-stream.ts";

export interface HttpTransportOptions extends HttpOptions {
  /** Whether to open a stream for what the server says unasked; true by default. */
  readonly listen?: boolean;
  /** Called when a message that is no request could not be delivered. */
  readonly onerror?: (error: Error) => void;
  readonly clock?: Clock;
}

/** How long the requests on their way may still take to learn that their session has ended. */
const END_MS = 2_000;
const INITIALIZE = "initialize";
const INITIALIZED = "notifications/initialized";
/** Since this revision its header is in the specification. */
const FIRST_WITH_HEADER = "2025-06-18";

/**
 * Speaks Streamable HTTP to a server (MCP 2025-03-26 to 2026-07-28, Transports), or HTTP with SSE
 * (2024-11-05) to one that answers `initialize` with 400, 404 or 405. A request of the modern era is one
 * whose `_meta` names its revision: it has no session, and closing its stream takes it back.
 *
 * A request whose answer breaks off is resumed where the server numbers its events. What cannot be
 * delivered fails alone: with `unreachable` when the server cannot have begun it, else with `lost`; with
 * `unauthorized` or `protocol`, or the server's own JSON-RPC error. The transport closes with 1001 when the
 * server has ended the session; `close` ends it at the server, too.
 * @throws IdewireError `invalid-argument` for an address that is not http or https
 */
export function createHttpTransport(
  url: string | URL,
  options: HttpTransportOptions = {},
): Transport {
  return new HttpTransport(new HttpChannel(url, options), options);
}

class HttpTransport implements HeaderTransport {
  inputSchemaOf: FindSchema | undefined = undefined;
  requests: RequestTracker | undefined;
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  bufferedAmount = 0;
  readonly #channel: HttpChannel;
  readonly #options: HttpTransportOptions;
  readonly #clock: Clock;
  /** Of the streams and of the requests, by their ids. */
  readonly #running = new Map<unknown, AbortController>();
  /** Of the requests of the modern era, by their ids. */
  readonly #exchanges = new Map<RequestId, AbortController>();
  /** The frames whose responses have not begun. */
  readonly #departing = new Set<Promise<void>>();
  /** `initialize` and `notifications/initialized`, which all other frames of a session wait for. */
  #gate: Promise<unknown> = Promise.resolve();
  #isInitializing = false;
  #postToSse: SsePost | undefined;
  #reason: CloseReason | undefined;

  constructor(channel: HttpChannel, options: HttpTransportOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  send(frame: string): void {
    if (this.#reason !== undefined) return;
    const message = readEnvelope(frame);
    if (this.#takeBack(message)) return;
    this.bufferedAmount += frame.length;
    if (message.revision !== undefined) {
      void this.#exchange(message);
      return;
    }
    const departed: Promise<void> = this.#gate
      .then(() => this.#post(message))
      .catch((error) => this.#fail(message, error))
      .then(() => this.#departed(frame, departed));
    this.#departing.add(departed);
    if (message.method === INITIALIZE || message.method === INITIALIZED) this.#gate = departed;
    if (message.method === INITIALIZED && this.#options.listen !== false) {
      void departed.then(() => this.#listen());
    }
  }

  /** Not once the session has ended. */
  reaches(): boolean {
    return this.#reason === undefined;
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#reason !== undefined) return;
    this.#reason = { code, reason };
    void this.#settled()
      .then(() => this.#endSession())
      .then(() => this.onclose?.({ code, reason }));
  }

  /** @returns whether there was a request of the modern era to take back */
  #takeBack({ cancels }: OutgoingMessage): boolean {
    const controller = cancels === undefined ? undefined : this.#exchanges.get(cancels);
    controller?.abort();
    return controller !== undefined;
  }

  async #exchange(message: OutgoingMessage): Promise<void> {
    const { id = "", frame } = message;
    const controller = new AbortController();
    this.#exchanges.set(id, controller);
    let isDeparting = true;
    const ondeparted = () => {
      if (isDeparting) this.#departed(frame);
      isDeparting = false;
    };
    try {
      await exchange(message, {
        ...{ channel: this.#channel, clock: this.#clock, controller },
        inputSchemaOf: this.inputSchemaOf,
        onframe: (each) => this.onframe?.(each),
        ondeparted,
        isAnswered: () => this.requests?.awaits(id) !== true,
      });
    } catch (error) {
      this.#fail(message, error);
    } finally {
      ondeparted();
      this.#exchanges.delete(id);
    }
  }

  #departed(frame: string, departed?: Promise<void>): void {
    this.bufferedAmount -= frame.length;
    if (departed !== undefined) this.#departing.delete(departed);
    if (this.#departing.size === 0 && this.#reason === undefined) this.ondrain?.();
  }

  /** Resolves when the responses to all that was sent have begun, and all else has been aborted. */
  async #settled(): Promise<void> {
    const timer = this.#clock.setTimeout(() => this.#abort(), END_MS);
    await Promise.all(this.#departing);
    this.#clock.clearTimeout(timer);
    this.#abort();
  }

  #abort(): void {
    const all = [...this.#running.values(), ...this.#exchanges.values()];
    for (const controller of all) controller.abort();
  }

  async #endSession(): Promise<void> {
    if (this.#channel.session === undefined) return;
    const signal = AbortSignal.timeout(END_MS);
    await this.#channel.send({ method: "DELETE", signal }).then(discard, () => {});
  }

  /** Closes once the other requests on their way have been answered, or have met the same end. */
  #end(reason: CloseReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    void this.#settled().then(() => this.onclose?.(reason));
  }

  /** Resolves when the server has the message, and with the first one, when it has answered. */
  async #post(message: OutgoingMessage): Promise<void> {
    const isFirst = message.method === INITIALIZE;
    this.#isInitializing ||= isFirst;
    const key = message.id ?? message;
    const controller = new AbortController();
    this.#running.set(key, controller);
    let answered: Promise<void> | undefined;
    try {
      const response = await this.#deliver(message, controller.signal, isFirst);
      if (message.cancels !== undefined) this.#running.get(message.cancels)?.abort();
      if (response !== undefined) answered = this.#readAnswer(message, response, controller);
    } finally {
      if (answered === undefined) this.#running.delete(key);
    }
    const read = answered
      ?.catch((error) => this.#fail(message, error))
      .finally(() => this.#running.delete(key));
    if (!isFirst) return;
    await read;
    this.#isInitializing = false;
  }

  /** @returns the response that has the answer, unless there is none, or it comes by another stream */
  async #deliver(
    message: OutgoingMessage,
    signal: AbortSignal,
    isFirst: boolean,
  ): Promise<Response | undefined> {
    const { frame, id } = message;
    if (this.#postToSse !== undefined) {
      await this.#postToSse(frame, signal);
      return undefined;
    }
    const response = await this.#channel.send({ method: "POST", body: frame, signal });
    if (isFirst) this.#channel.session = response.headers.get("mcp-session-id") ?? undefined;
    if (!response.ok) {
      await this.#refused(message, response, isFirst);
      return undefined;
    }
    if (id !== undefined) return response;
    discard(response);
    return undefined;
  }

  /** @throws what the response says, unless the message could be sent by HTTP with SSE */
  async #refused(message: OutgoingMessage, response: Response, isFirst: boolean): Promise<void> {
    const { status } = response;
    const body = await readText(response, this.#channel.maxFrameBytes);
    if (status === 404 && this.#channel.session !== undefined) throw this.#sessionEnded(message);
    const refusal = refusedBy(`${message.method} at ${this.#channel.name}`, status, body);
    if (!isFirst || ![400, 404, 405].includes(status) || isModernError(refusal)) throw refusal;
    const controller = new AbortController();
    this.#running.set(controller, controller);
    this.#postToSse = await openSse(this.#channel, {
      onframe: (frame) => this.onframe?.(frame),
      onend: (reason) => this.#end({ code: CloseCode.Abnormal, reason }),
      signal: controller.signal,
    });
    if (this.#postToSse === undefined) throw refusal;
    await this.#postToSse(message.frame, controller.signal);
  }

  #sessionEnded({ method }: Pick<OutgoingMessage, "method">): IdewireError {
    const reason = "the server has ended the session";
    this.#end({ code: CloseCode.GoingAway, reason });
    return new IdewireError("unreachable", `${method}: ${reason}`);
  }

  async #readAnswer(
    { id, method }: OutgoingMessage,
    response: Response,
    controller: AbortController,
  ): Promise<void> {
    if (isEventStream(response)) {
      const isAnswered = () => id === undefined || this.requests?.awaits(id) !== true;
      await this.#follow(controller).untilAnswered(response, isAnswered);
    } else if (mediaType(response) === "application/json") {
      this.#receive(await readText(response, this.#channel.maxFrameBytes));
    } else discard(response);
    const seen = `HTTP ${response.status} ${mediaType(response)}`.trimEnd();
    const what = `${method} at ${this.#channel.name}: ${seen} without the answer`;
    if (id !== undefined) this.requests?.fail(id, new IdewireError("protocol", what));
  }

  #follow(controller: AbortController): FollowedStream {
    return new FollowedStream({
      channel: this.#channel,
      clock: this.#clock,
      controller,
      onframe: (frame) => this.#receive(frame),
    });
  }

  /** Opens the stream for what the server says unasked, which it need not have. */
  async #listen(): Promise<void> {
    if (this.#postToSse !== undefined || this.#reason !== undefined) return;
    const controller = new AbortController();
    this.#running.set(controller, controller);
    try {
      const stream = this.#follow(controller);
      const refused = await stream.untilRefused();
      if (refused === undefined) return;
      discard(refused);
      // Some servers without such a stream answer 404 instead of 405.
      if (refused.status === 404 && stream.wasOpen) {
        this.#sessionEnded({ method: "GET" });
      }
    } catch (error) {
      this.#options.onerror?.(undelivered(this.#channel.name, error));
    } finally {
      this.#running.delete(controller);
    }
  }

  #receive(frame: string): void {
    if (this.#isInitializing) this.#readRevision(frame);
    this.onframe?.(frame);
  }

  #readRevision(frame: string): void {
    const revision = readRevision(frame);
    if (revision !== undefined && revision >= FIRST_WITH_HEADER) {
      this.#channel.protocolVersion = revision;
    }
  }

  #fail({ id, method }: OutgoingMessage, error: unknown): void {
    const failure = error instanceof RpcError ? error : undelivered(method, error);
    if (id !== undefined) this.requests?.fail(id, failure);
    else if (this.#reason === undefined) this.#options.onerror?.(failure);
  }
}
