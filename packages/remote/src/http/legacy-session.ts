import {
  type Clock,
  CloseCode,
  type CloseReason,
  IdewireError,
  type RequestTracker,
} from "@idewire/core";
import { failureOf, isModernError, mayNotHaveArrived, refusedBy, undelivered } from "./failures.ts";
import { FollowedStream } from "./followed-stream.ts";
import type { HttpChannel } from "./http-channel.ts";
import { ANSWER, type OutgoingMessage, readRevision } from "./outgoing-message.ts";
import { pause } from "./pause.ts";
import { discard, isEventStream, mediaType, readText } from "./read-text.ts";
import type { HttpWithSse, SsePost } from "./sse-stream.ts";

/** The transport that a session belongs to. */
export interface SessionOwner {
  requests(): RequestTracker | undefined;
  /** Whether it closes, or has closed. */
  isClosing(): boolean;
  receive(frame: string): void;
  /** The session is over. */
  end(reason: CloseReason): void;
  /** A message was not delivered, or its answer has not come. */
  fail(message: OutgoingMessage, error: unknown): void;
  /** What is no message's failure. */
  report(error: Error): void;
}

export interface LegacySessionOptions {
  readonly channel: HttpChannel;
  readonly clock: Clock;
  readonly owner: SessionOwner;
  /** Whether to open a stream for what the server says unasked. */
  readonly listens: boolean;
  readonly sse: HttpWithSse | undefined;
}

/** How long the server may take to end the session. */
const END_MS = 2_000;
/** After how long an answer that did not arrive is sent again: four times as long each time. */
const FIRST_REPEAT_MS = 100;
const LAST_REPEAT_MS = 6_400;
const INITIALIZE = "initialize";
const INITIALIZED = "notifications/initialized";
/** Since this revision its header is in the specification. */
const FIRST_WITH_HEADER = "2025-06-18";

/**
 * One session of the legacy era (MCP 2025-11-25, Transports), or where that is given, one of HTTP with SSE
 * (2024-11-05) at a server that answers `initialize` with 400, 404 or 405.
 */
export class LegacySession {
  readonly #channel: HttpChannel;
  readonly #clock: Clock;
  readonly #owner: SessionOwner;
  readonly #listens: boolean;
  readonly #sse: HttpWithSse | undefined;
  /** Of the streams and of the requests, by their ids. */
  readonly #running = new Map<unknown, AbortController>();
  /** `initialize` and `notifications/initialized`, which all other frames wait for. */
  #gate: Promise<unknown> = Promise.resolve();
  #isInitializing = false;
  #postToSse: SsePost | undefined;

  constructor({ channel, clock, owner, listens, sse }: LegacySessionOptions) {
    this.#channel = channel;
    this.#clock = clock;
    this.#owner = owner;
    this.#listens = listens;
    this.#sse = sse;
  }

  /**
   * Resolves when the server has the message, and with `initialize`, when it has answered.
   * @throws what became of it otherwise
   */
  send(message: OutgoingMessage): Promise<void> {
    const post = message.method === ANSWER ? this.#postSurely : this.#post;
    const posted = this.#gate.then(() => post.call(this, message));
    if (message.method === INITIALIZE) this.#gate = posted.catch(() => {});
    if (message.method === INITIALIZED) {
      const begun = this.#begun(posted);
      this.#gate = begun;
      begun.then(
        () => this.#listen(),
        () => {},
      );
    }
    return posted;
  }

  /** Ends the streams, and gives up the requests. */
  abort(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  /** Ends it at the server, which need not know that. */
  async end(): Promise<void> {
    if (this.#channel.session === undefined) return;
    const signal = AbortSignal.timeout(END_MS);
    await this.#channel.send({ method: "DELETE", signal }).then(discard, () => {});
  }

  /** Rejects, for all that waits for it, when the server has not heard that the session has begun. */
  #begun(posted: Promise<void>): Promise<void> {
    return posted.catch((error) => {
      const failure = failureOf(INITIALIZED, error);
      if (!mayNotHaveArrived(failure)) return;
      this.#owner.end({ code: CloseCode.Abnormal, reason: failure.message });
      throw new IdewireError("unreachable", failure.message);
    });
  }

  /**
   * Sends an answer again that has not arrived: what the server has asked it for would wait for ever. One
   * that arrives twice does no harm. When none arrives, all that is under way is told as lost.
   */
  async #postSurely(message: OutgoingMessage): Promise<void> {
    const controller = new AbortController();
    this.#running.set(controller, controller);
    try {
      for (let delayMs = FIRST_REPEAT_MS; ; delayMs *= 4) {
        const failure = await this.#post(message).then(
          () => undefined,
          (error) => failureOf(ANSWER, error),
        );
        if (failure === undefined) return;
        if (!mayNotHaveArrived(failure) || this.#owner.isClosing()) throw failure;
        if (delayMs > LAST_REPEAT_MS) {
          this.#owner.end({ code: CloseCode.Abnormal, reason: failure.message });
          throw failure;
        }
        await pause(this.#clock, delayMs, controller.signal);
      }
    } finally {
      this.#running.delete(controller);
    }
  }

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
      ?.catch((error) => this.#owner.fail(message, error))
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
      if (!(await this.#postToSse(frame, signal))) throw this.#sessionEnded(message);
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
    const body = await this.#channel.readRefusal(response);
    if (status === 404 && this.#channel.session !== undefined) throw this.#sessionEnded(message);
    const refusal = refusedBy(`${message.method} at ${this.#channel.name}`, status, body);
    if (!isFirst || ![400, 404, 405].includes(status) || isModernError(refusal)) throw refusal;
    const controller = new AbortController();
    this.#running.set(controller, controller);
    this.#postToSse = await this.#sse?.(this.#channel, {
      onframe: (frame) => this.#owner.receive(frame),
      onend: (reason) => this.#owner.end({ code: CloseCode.Abnormal, reason }),
      signal: controller.signal,
    });
    if (this.#postToSse === undefined) throw refusal;
    const isTaken = await this.#postToSse(message.frame, controller.signal);
    if (!isTaken) throw this.#sessionEnded(message);
  }

  #sessionEnded({ method }: Pick<OutgoingMessage, "method">): IdewireError {
    const reason = "the server has ended the session";
    this.#owner.end({ code: CloseCode.GoingAway, reason });
    return new IdewireError("unreachable", `${method}: ${reason}`);
  }

  async #readAnswer(
    { id, method }: OutgoingMessage,
    response: Response,
    controller: AbortController,
  ): Promise<void> {
    const what = `${method} at ${this.#channel.name}`;
    if (isEventStream(response)) {
      const isAnswered = () => id === undefined || this.#owner.requests()?.awaits(id) !== true;
      await this.#follow(controller, what).untilAnswered(response, isAnswered);
    } else if (mediaType(response) === "application/json") {
      this.#receive(await readText(response, this.#channel.maxFrameBytes, what));
    } else discard(response);
    const words = `${what}: ${this.#channel.describe(response)} without the answer`;
    if (id !== undefined) this.#owner.requests()?.fail(id, new IdewireError("protocol", words));
  }

  #follow(controller: AbortController, what: string): FollowedStream {
    return new FollowedStream({
      what,
      channel: this.#channel,
      clock: this.#clock,
      controller,
      onframe: (frame) => this.#receive(frame),
    });
  }

  /** Opens the stream for what the server says unasked, which it need not have. */
  async #listen(): Promise<void> {
    if (!this.#listens || this.#postToSse !== undefined || this.#owner.isClosing()) return;
    const controller = new AbortController();
    this.#running.set(controller, controller);
    try {
      const stream = this.#follow(controller, this.#channel.name);
      const refused = await stream.untilRefused();
      if (refused === undefined) return;
      discard(refused);
      // Some servers without such a stream answer 404 instead of 405.
      if (refused.status === 404 && stream.mayHaveEnded) {
        this.#sessionEnded({ method: "GET" });
      }
    } catch (error) {
      this.#owner.report(undelivered(this.#channel.name, error));
    } finally {
      this.#running.delete(controller);
    }
  }

  #receive(frame: string): void {
    if (this.#isInitializing) this.#readRevision(frame);
    this.#owner.receive(frame);
  }

  #readRevision(frame: string): void {
    const revision = readRevision(frame);
    if (revision !== undefined && revision >= FIRST_WITH_HEADER) {
      this.#channel.protocolVersion = revision;
    }
  }
}
