import {
  type CloseReason,
  type HeaderTransport,
  headerParametersOf,
  IdewireError,
  isModernError,
  isObject,
  type RequestId,
  type RequestTracker,
  type Transport,
} from "@idewire/core";
import { ABNORMAL, GOING_AWAY, NORMAL } from "./close-code.ts";
import { failureOf, isOutage, mayNotHaveArrived, refusalOf, refusedBy } from "./failures.ts";
import { FollowedStream, type FollowOptions, readAnswer } from "./followed-stream.ts";
import { HttpChannel, type HttpOptions } from "./http-channel.ts";
import { type FindSchema, headersOf } from "./modern-headers.ts";
import {
  ANSWER,
  type OutgoingMessage,
  readEnvelope,
  readQuestion,
  readRevision,
} from "./outgoing-message.ts";
import { pause } from "./pause.ts";
import { discard } from "./read-text.ts";
import type { HttpWithSse, SsePost } from "./sse-stream.ts";

export interface HttpTransportOptions extends HttpOptions {
  /** Whether to open a stream for what the server says unasked; true by default. */
  readonly listen?: boolean;
  /** What speaks to servers of 2024-11-05: `httpWithSse`; by default their refusal is the answer. */
  readonly sse?: HttpWithSse;
  /** Called when a message that is no request could not be delivered. */
  readonly onerror?: (error: Error) => void;
}

/** How long the messages on their way, and then the end of the session, may take. */
const END_MS = 2_000;
/** After how long an answer that did not arrive is sent again: four times as long each time. */
const FIRST_REPEAT_MS = 100;
const LAST_REPEAT_MS = 6_400;
const INITIALIZE = "initialize";
const DISCOVER = "server/discover";
const INITIALIZED = "notifications/initialized";

/**
 * Speaks Streamable HTTP to a server (MCP 2025-03-26 to 2026-07-28, Transports), or with the option `sse`
 * HTTP with SSE (2024-11-05) to one that answers `initialize` with 400, 404 or 405. A request of the modern era is one
 * whose `_meta` names its revision: it has no session, and closing its stream takes it back.
 *
 * A request whose answer breaks off is resumed where the server numbers its events. What cannot be
 * delivered fails alone: with `unreachable` when the server cannot have begun it, else with `lost`; with
 * `unauthorized` or `protocol`, or the server's own JSON-RPC error. The transport closes with 1001 when the
 * server has ended the session; `close` ends it at the server, too.
 * @throws IdewireError `invalid-argument` for an address that is not http or https, or has a password, and for
 * a header that HTTP cannot send
 */
export function createHttpTransport(
  url: string | URL,
  options: HttpTransportOptions = {},
): Transport {
  return new HttpTransport(new HttpChannel(url, options), options);
}

/** A message that is under way, or waits for its answer. */
interface Exchange {
  readonly message: OutgoingMessage;
  /** Aborting it closes the stream of a request. */
  readonly controller: AbortController;
  /** What the server has asked on that stream. */
  readonly questions: Set<RequestId | undefined>;
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
  /** By the ids of requests; of other messages, by themselves. */
  readonly #running = new Map<unknown, Exchange>();
  /** Of the streams that are for no request, and of pauses; aborted at the end. */
  readonly #whole = new AbortController();
  /** The frames of the session whose responses have not begun. */
  readonly #departing = new Set<Promise<void>>();
  /** `initialize` and `notifications/initialized`, which all other frames of the session wait for. */
  #gate: Promise<unknown> = Promise.resolve();
  #postToSse: SsePost | undefined;
  #reason: CloseReason | undefined;

  constructor(channel: HttpChannel, options: HttpTransportOptions) {
    this.#channel = channel;
    this.#options = options;
  }

  send(frame: string): void {
    if (this.#reason !== undefined) return;
    const message = readEnvelope(frame);
    const { cancels, revision } = message;
    const cancelled = this.#running.get(cancels);
    if (cancelled?.message.revision !== undefined) {
      cancelled.controller.abort();
      return;
    }
    this.bufferedAmount += frame.length;
    const isModern = revision !== undefined;
    const departed: Promise<void> = (isModern ? this.#post(message) : this.#inOrder(message))
      .catch((error) => this.#fail(message, error))
      .then(() => {
        this.bufferedAmount -= frame.length;
        this.#departing.delete(departed);
        if (this.#departing.size === 0 && this.#reason === undefined) this.ondrain?.();
      });
    if (!isModern) this.#departing.add(departed);
  }

  carries(inputSchema: unknown): boolean {
    return !isObject(inputSchema) || headerParametersOf(inputSchema) !== undefined;
  }

  /** Not once the session has ended. */
  reaches(): boolean {
    return this.#reason === undefined;
  }

  close(code: number = NORMAL, reason = ""): void {
    this.#close({ code, reason }, () => this.#endSession());
  }

  /** Closes once what is on its way has arrived, or has met the same end. */
  #close(reason: CloseReason, last?: () => Promise<void>): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    void this.#settled()
      .then(last)
      .then(() => this.onclose?.(reason));
  }

  /** Resolves when the responses to all that was sent have begun, and all else has been aborted. */
  async #settled(): Promise<void> {
    const abort = () => {
      this.#whole.abort();
      for (const { controller } of this.#running.values()) controller.abort();
    };
    const { clock } = this.#channel;
    const timer = clock.setTimeout(abort, END_MS);
    await Promise.all(this.#departing);
    clock.clearTimeout(timer);
    abort();
  }

  /** Ends the session at the server, which need not know that. */
  async #endSession(): Promise<void> {
    if (this.#channel.session === undefined) return;
    const signal = AbortSignal.timeout(END_MS);
    await this.#channel.send({ method: "DELETE", signal }).then(discard, () => {});
  }

  #fail({ id, answers, method }: OutgoingMessage, error: unknown): void {
    const failure = this.#failureOf(method, error);
    if (id !== undefined) this.requests?.fail(id, failure);
    else if (this.#reason === undefined) {
      this.#options.onerror?.(failure);
      if (answers !== undefined) this.#failAsking(answers, failure);
    }
  }

  /** Fails the request whose stream has brought the question, which would wait for ever for its answer. */
  #failAsking(question: RequestId, cause: Error): void {
    const asking = [...this.#running.values()].find(({ questions }) => questions.has(question));
    if (asking !== undefined) {
      const { method } = asking.message;
      this.#fail(
        asking.message,
        new IdewireError("lost", `${method}: ${cause.message}`, { cause }),
      );
      asking.controller.abort();
    } else if (mayNotHaveArrived(cause)) this.#close({ code: ABNORMAL, reason: cause.message });
  }

  #failureOf(method: string, error: unknown): Error {
    return failureOf(method, error, (words) => this.#channel.withoutSecrets(words));
  }

  /** Sends a message of the session, whose beginning it waits for, but for answers, which that may wait for. */
  #inOrder(message: OutgoingMessage): Promise<void> {
    const { method } = message;
    if (method === ANSWER) return this.#postSurely(message);
    const posted = this.#gate.then(() => this.#post(message));
    if (method === INITIALIZE) this.#gate = posted.catch(() => {});
    if (method === INITIALIZED) {
      this.#gate = posted.catch((error) => this.#requireBegun(error));
      this.#gate.then(
        () => this.#listen(),
        () => {},
      );
    }
    return posted;
  }

  /** @throws for all that waits, when the server has not heard that the session has begun */
  #requireBegun(error: unknown): void {
    const failure = this.#failureOf(INITIALIZED, error);
    if (!mayNotHaveArrived(failure)) return;
    this.#close({ code: ABNORMAL, reason: failure.message });
    throw new IdewireError("unreachable", failure.message);
  }

  /** Sends an answer again that has not arrived. One that arrives twice does no harm. */
  async #postSurely(message: OutgoingMessage): Promise<void> {
    for (let delayMs = FIRST_REPEAT_MS; ; delayMs *= 4) {
      try {
        return await this.#post(message);
      } catch (error) {
        const failure = this.#failureOf(ANSWER, error);
        const isLast = delayMs > LAST_REPEAT_MS || this.#reason !== undefined;
        if (isLast || !mayNotHaveArrived(failure)) throw failure;
      }
      await pause(this.#channel.clock, delayMs, this.#whole.signal);
    }
  }

  /** Resolves when the server has the message, and with `initialize`, when it has answered. */
  async #post(message: OutgoingMessage): Promise<void> {
    const { id, cancels, method } = message;
    const key = id ?? message;
    // Each its own: what a signal is given to hears of it until it is collected.
    const controller = new AbortController();
    const exchange = { message, controller, questions: new Set<RequestId>() };
    this.#running.set(key, exchange);
    const delivered = this.#deliver(exchange);
    const read = delivered
      .then(
        (response) => response && this.#readAnswer(exchange, response),
        () => {},
      )
      .finally(() => this.#running.delete(key));
    await delivered.finally(() => this.#running.get(cancels)?.controller.abort());
    if (method === INITIALIZE) await read;
  }

  /** @returns the response that has the answer, unless there is none, or it comes by another stream */
  async #deliver(exchange: Exchange): Promise<Response | undefined> {
    const { message, controller } = exchange;
    const { frame, id, method, revision } = message;
    const channel = this.#channel;
    if (this.#postToSse !== undefined) {
      if (!(await this.#postToSse(frame, controller))) throw this.#sessionEnded(method);
      return undefined;
    }
    const headers = revision === undefined ? undefined : headersOf(message, this.inputSchemaOf);
    const { signal } = controller;
    const response = await channel.send({ method: "POST", body: frame, signal, headers });
    if (method === INITIALIZE)
      channel.session = response.headers.get("mcp-session-id") ?? undefined;
    if (response.ok) {
      if (id !== undefined) return response;
      discard(response);
      return undefined;
    }
    const { status } = response;
    if (status === 404 && revision === undefined && channel.session !== undefined) {
      discard(response);
      throw this.#sessionEnded(method);
    }
    const refusal = await this.#refused(exchange, response);
    const isOld = method === INITIALIZE && [400, 404, 405].includes(status);
    if (isOld && !isModernError(refusal)) await this.#openSse();
    if (this.#postToSse === undefined) throw refusal;
    return this.#deliver(exchange);
  }

  async #refused({ message, controller }: Exchange, response: Response): Promise<Error> {
    const { method } = message;
    const { status } = response;
    const body = await this.#channel.readRefusal(response, controller);
    // A login that is wanted, and a server that fails, say nothing of the eras that it speaks.
    const isOpen = status === 401 || status === 403 || isOutage(status);
    const isOfStatus = method === ANSWER || (isOpen && method === DISCOVER);
    return (isOfStatus ? refusedBy : refusalOf)(this.#name(method), status, body);
  }

  async #openSse(): Promise<void> {
    this.#postToSse = await this.#options.sse?.(this.#channel, {
      onframe: (frame) => this.onframe?.(frame),
      onend: (reason) => this.#close({ code: ABNORMAL, reason }),
      signal: this.#whole.signal,
    });
  }

  #sessionEnded(method: string): IdewireError {
    const reason = "the server has ended the session";
    this.#close({ code: GOING_AWAY, reason });
    return new IdewireError("unreachable", `${method}: ${reason}`);
  }

  async #readAnswer(exchange: Exchange, response: Response): Promise<void> {
    const { message, controller, questions } = exchange;
    const { id = "", method, revision } = message;
    const isAnswered = () => this.requests?.awaits(id) !== true;
    await readAnswer(response, {
      ...this.#stream(this.#name(method), controller),
      isAnswered,
      resumes: revision === undefined,
      onframe: (frame) => {
        if (method === INITIALIZE) this.#channel.protocolVersion ??= readRevision(frame);
        this.onframe?.(frame);
        if (!isAnswered() && frame.includes('"id"')) questions.add(readQuestion(frame));
      },
    }).catch((error) => this.#fail(message, error));
  }

  /** Opens the stream for what the server says unasked, which it need not have. */
  async #listen(): Promise<void> {
    if (this.#options.listen === false || this.#postToSse || this.#reason) return;
    const { name } = this.#channel;
    try {
      const stream = new FollowedStream(this.#stream(name, this.#whole));
      if (await stream.follow()) this.#sessionEnded("GET");
    } catch (error) {
      this.#options.onerror?.(this.#failureOf(name, error));
    }
  }

  #stream(what: string, controller: AbortController): FollowOptions {
    const onframe = (frame: string) => this.onframe?.(frame);
    return { channel: this.#channel, controller, onframe, what, resumes: true };
  }

  /** What is asked where, for messages to a person. */
  #name(method: string): string {
    return `${method} at ${this.#channel.name}`;
  }
}
