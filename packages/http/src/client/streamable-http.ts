import type { HeaderTransport, RequestId } from "@idewire/core/internal";
import {
  backOffMs,
  headerParametersOf,
  isModernError,
  isObject,
  Method,
  pause,
  type RequestTracker,
} from "@idewire/core/internal";
import { CloseCode, type CloseReason, IdewireError } from "@idewire/core/rpc";
import { AnswerQueue, TOO_MANY } from "./answer-queue.ts";
import { failureOf, mayNotHaveArrived, refusedBy, rpcErrorIn } from "./failures.ts";
import { FollowedStream, readAnswer } from "./followed-stream.ts";
import type { HttpChannel, HttpOptions } from "./http-channel.ts";
import { type FindSchema, headersOf } from "./modern-headers.ts";
import {
  ANSWER,
  type Exchange,
  type OutgoingMessage,
  readEnvelope,
  readQuestions,
  readRevision,
  UNREAD,
} from "./outgoing-message.ts";
import { discard } from "./read-text.ts";
import { openSseStream } from "./sse-stream.ts";

export interface HttpTransportOptions extends HttpOptions {
  /** Whether to open a stream for unsolicited messages of the server; true by default. */
  readonly listen?: boolean;
  /** Called when a notification or a response could not be delivered. */
  readonly onerror?: (error: Error) => void;
}

/** How long the messages on their way, and then the end of the session, may take: a signal ends a command in 2 s. */
const END_MS = 900;
/** The delay before an undelivered answer is sent again; four times as long each time. */
const FIRST_REPEAT_MS = 100;
const MAX_REPEATS = 7;
const INITIALIZE = "initialize";
const DISCOVER = "server/discover";
/** A server answers this as long as it accepts the session; no request of the client has this id. */
const SESSION_CHECK = JSON.stringify({ jsonrpc: "2.0", id: "session-check", method: Method.Ping });

/** One session, and the requests of the modern era, which have none. */
export class StreamableHttp implements HeaderTransport {
  inputSchemaOf: FindSchema | undefined = undefined;
  requests: RequestTracker | undefined;
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  bufferedAmount = 0;
  readonly #channel: HttpChannel;
  readonly #options: HttpTransportOptions;
  /** Requests by their ids, other messages by themselves. */
  readonly #running = new Map<unknown, Exchange>();
  /** Ends the streams that belong to no request, and the pauses. */
  readonly #whole = new AbortController();
  /** The frames of the session whose responses have not begun. */
  readonly #departing = new Set<Promise<void>>();
  /** `initialize` and `notifications/initialized`, which all other frames of the session wait for. */
  #gate: Promise<unknown> = Promise.resolve();
  /** Where messages go in HTTP with SSE. */
  #sse: HttpChannel | undefined;
  /** The only attempt to use HTTP with SSE. */
  #sseOpening: Promise<HttpChannel | undefined> | undefined;
  #reason: CloseReason | undefined;
  readonly #answers: AnswerQueue;

  constructor(channel: HttpChannel, options: HttpTransportOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#answers = new AnswerQueue(channel.clock, this.#whole.signal);
  }

  send(frame: string): void {
    if (this.#reason) return;
    const message = readEnvelope(frame);
    const { cancels, revision } = message;
    const cancelled = this.#running.get(cancels);
    if (cancelled?.revision) {
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
        if (this.#departing.size === 0 && !this.#reason) this.ondrain?.();
      });
    if (!isModern) this.#departing.add(departed);
  }

  carries(inputSchema: unknown): boolean {
    return !isObject(inputSchema) || headerParametersOf(inputSchema) !== undefined;
  }

  begun(): Promise<unknown> {
    return this.#gate;
  }

  /** Not once the session has ended. */
  reaches(): boolean {
    return !this.#reason;
  }

  redact<T>(value: T): T {
    return this.#channel.redact(value);
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    // After the server has ended the session, closing does not wait for other responses.
    if (this.#reason?.code === CloseCode.GoingAway) this.#whole.abort();
    void this.#close({ code, reason }, () => this.#endSession());
  }

  /** Closes once the responses to sent messages have started, or after a limit; everything else is aborted. */
  async #close(reason: CloseReason, last?: () => Promise<void>): Promise<void> {
    if (this.#reason) return;
    this.#reason = reason;
    const { signal } = this.#whole;
    let left: number;
    do {
      left = this.#departing.size;
      const late = pause(this.#channel.clock, END_MS, signal);
      await Promise.race([Promise.all(this.#departing), late]);
      // A server that has ended the session refuses each message with that.
    } while (reason.code === CloseCode.GoingAway && this.#departing.size < left && !signal.aborted);
    this.#whole.abort();
    for (const { controller } of this.#running.values()) controller.abort();
    await last?.();
    this.onclose?.(reason);
  }

  /** Ends the session at the server, which need not support that. */
  async #endSession(): Promise<void> {
    if (this.#channel.session === undefined) return;
    const signal = AbortSignal.timeout(END_MS);
    await this.#channel.send({ method: "DELETE", signal }).then(discard, () => {});
  }

  #fail({ id, answers, method }: OutgoingMessage, error: unknown): void {
    const failure = this.#failureOf(method, error);
    if (id !== undefined) this.requests?.fail(id, failure);
    else if (!this.#reason) {
      this.#options.onerror?.(failure);
      for (const question of answers) this.#failAsking(question, failure);
    }
  }

  /** Fails the request whose stream carried the question: the server would wait for its answer indefinitely. */
  #failAsking(question: RequestId, cause: Error): void {
    const asking = this.#askingOf(question);
    if (asking) {
      const message = `${asking.method}: ${cause.message}`;
      this.#fail(asking, new IdewireError("lost", message, { cause }));
      asking.controller.abort();
    } else if (mayNotHaveArrived(cause))
      void this.#close({ code: CloseCode.Abnormal, reason: cause.message });
  }

  #askingOf(question: unknown): Exchange | undefined {
    return [...this.#running.values()].find(({ questions }) => questions.has(question));
  }

  #failureOf(method: string, error: unknown): Error {
    const channel = this.#channel;
    return failureOf(`${method} at ${channel.name}`, error, channel);
  }

  /**
   * Sends a message of the session after the handshake; answers do not wait, as the handshake may depend on them.
   */
  #inOrder(message: OutgoingMessage): Promise<void> {
    const { method } = message;
    if (method === ANSWER || method === UNREAD) return this.#answer(message);
    const isFirst = method === INITIALIZE;
    const posted = isFirst ? this.#post(message) : this.#gate.then(() => this.#post(message));
    if (isFirst) this.#gate = posted.catch(() => {});
    if (method === Method.Initialized) {
      this.#gate = posted.catch((error) => this.#requireBegun(error));
      this.#gate.then(
        () => this.#listen(),
        () => {},
      );
    }
    return posted;
  }

  /** Sends an answer. A server that asks more than can be answered is disconnected. */
  #answer(message: OutgoingMessage): Promise<void> {
    const sent = this.#answers.run(() =>
      message.method === ANSWER
        ? this.#postWithRetry(message)
        : this.#gate.then(() => this.#post(message)),
    );
    return sent.catch((error) => {
      const isExcess = error instanceof IdewireError && error.message.startsWith(TOO_MANY);
      if (isExcess) void this.#close({ code: CloseCode.Abnormal, reason: error.message });
      throw error;
    });
  }

  /** @throws for all waiting messages, when the handshake was not delivered or the server refuses the session */
  async #requireBegun(error: unknown): Promise<void> {
    const failure = this.#failureOf(Method.Initialized, error);
    if (failure.cause === 400 && (await this.#isRefused(400))) throw failure;
    if (!mayNotHaveArrived(failure)) return;
    void this.#close({ code: CloseCode.Abnormal, reason: failure.message });
    throw new IdewireError("unreachable", failure.message);
  }

  /** Sends an answer, and again if it has not arrived. A duplicate does no harm. */
  async #postWithRetry(message: OutgoingMessage): Promise<void> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        await this.#post(message);
        for (const answered of message.answers) {
          this.#askingOf(answered)?.questions.delete(answered);
        }
        return;
      } catch (error) {
        const failure = this.#failureOf(ANSWER, error);
        if (repeats === MAX_REPEATS || !mayNotHaveArrived(failure)) throw failure;
        const delayMs = backOffMs(repeats, FIRST_REPEAT_MS);
        await pause(this.#channel.clock, delayMs, this.#whole.signal);
        if (this.#reason) throw failure;
      }
    }
  }

  /** Resolves when the server has the message, and with `initialize`, when it has answered. */
  async #post(message: OutgoingMessage): Promise<void> {
    // One each: listeners on a shared signal would be retained until it is collected.
    const controller = new AbortController();
    const { id, cancels, method } = message;
    const what = `${method} at ${this.#channel.name}`;
    const exchange = { ...message, what, controller, questions: new Set() };
    const key = id ?? exchange;
    this.#running.set(key, exchange);
    const delivered = this.#deliver(exchange);
    const read = delivered.then((response) => response && this.#readAnswer(exchange, response));
    const end = () => this.#running.delete(key);
    read.then(end, end);
    await delivered.finally(() => this.#running.get(cancels)?.controller.abort());
    if (method === INITIALIZE) await read;
  }

  /** @returns the response with the answer; undefined if no answer is due or it arrives on another stream */
  async #deliver(exchange: Exchange): Promise<Response | undefined> {
    const { frame: body, id, method, revision, controller } = exchange;
    const { signal } = controller;
    const headers = headersOf(exchange, this.inputSchemaOf);
    const channel = this.#sse ?? this.#channel;
    if (method === INITIALIZE) channel.beginSession();
    const hold = (isHeld: boolean) => id !== undefined && this.requests?.hold?.(id, isHeld);
    const response = await channel.send({ method: "POST", body, signal, headers, hold });
    const { ok, status } = response;
    if (ok && method === INITIALIZE) {
      channel.session = response.headers.get("mcp-session-id") ?? undefined;
    }
    if (ok && id !== undefined && !this.#sse) return response;
    if (ok) {
      discard(response);
      return undefined;
    }
    const hasSession = revision === undefined && (this.#sse ?? channel.session) !== undefined;
    const isOfSession = hasSession && method !== INITIALIZE;
    const mayBeGone = isOfSession && (id !== undefined || status === 404);
    if (mayBeGone && (await this.#isRefused(status, signal))) {
      discard(response);
      throw this.#sessionEnded(method);
    }
    const refusal = await this.#refused(exchange, response);
    const isOld = method === INITIALIZE && !this.#sse && [400, 404, 405].includes(status);
    if (isOld && !isModernError(refusal)) await this.#openSse();
    if (!isOld || !this.#sse) throw refusal;
    await this.#post(exchange);
    return undefined;
  }

  async #refused({ method, what, controller }: Exchange, response: Response): Promise<Error> {
    const body = await (this.#sse ?? this.#channel).readRefusal(response, controller);
    const refusal = refusedBy(what, response.status, body);
    // A required login, and a failing server, do not reveal the eras that it supports.
    const isOfStatus = method === DISCOVER ? refusal.code !== "protocol" : method === ANSWER;
    return (isOfStatus ? undefined : rpcErrorIn(body, response.status)) ?? refusal;
  }

  async #openSse(): Promise<void> {
    this.#sseOpening ??= openSseStream(this.#channel, {
      onframe: (frame) => this.onframe?.(frame),
      onend: (reason) => void this.#close({ code: CloseCode.Abnormal, reason }),
      signal: this.#whole.signal,
    });
    this.#sse = await this.#sseOpening;
  }

  /**
   * Whether a status means that the server no longer accepts the session: 404 does (Transports), and so does 400,
   * which some servers send in its place, if `ping` is refused, too.
   */
  async #isRefused(status: number, signal = this.#whole.signal): Promise<boolean> {
    if (status !== 400) return status === 404;
    const check = { method: "POST", body: SESSION_CHECK, signal } as const;
    const response = await (this.#sse ?? this.#channel).send(check).catch(() => undefined);
    discard(response);
    return response?.status === 400 || response?.status === 404;
  }

  #sessionEnded(method: string): IdewireError {
    const reason = "the server has ended the session";
    void this.#close({ code: CloseCode.GoingAway, reason });
    return new IdewireError("unreachable", `${method}: ${reason}`);
  }

  async #readAnswer(exchange: Exchange, response: Response): Promise<void> {
    const { id = "", method, revision, what, controller, questions } = exchange;
    const channel = this.#channel;
    const endsAtOnce = revision !== undefined;
    const isAnswered = () => !this.requests?.awaits(id);
    const onframe = (frame: string) => {
      if (method === INITIALIZE) channel.protocolVersion ??= readRevision(frame);
      this.onframe?.(frame);
      // In the modern era no request depends on an answer in a separate POST.
      if (!endsAtOnce && !isAnswered()) {
        for (const question of readQuestions(frame)) questions.add(question);
      }
    };
    const options = { channel, controller, onframe, what, isAnswered, endsAtOnce };
    await readAnswer(response, options).catch((error) => this.#fail(exchange, error));
  }

  /** Opens the optional stream for unsolicited messages of the server. */
  async #listen(): Promise<void> {
    if (this.#options.listen === false || this.#sse || this.#reason) return;
    const channel = this.#channel;
    const onframe = (frame: string) => this.onframe?.(frame);
    const options = { channel, controller: this.#whole, onframe, what: channel.name };
    try {
      const status = await new FollowedStream(options).follow();
      if (status !== undefined && (await this.#isRefused(status))) this.#sessionEnded("GET");
    } catch (error) {
      this.#options.onerror?.(this.#failureOf("GET", error));
    }
  }
}
