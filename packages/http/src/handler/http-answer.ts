import type { RequestTarget } from "@idewire/core/internal";
import { challengeOf, refusalOf, type StreamAdmission } from "./admission.ts";
import { EventStream, type StreamRecord } from "./event-stream.ts";
import type { HttpRefusal } from "./http-refusal.ts";
import { type AuthorizationRefusal, accepts, type RequestHead } from "./request-head.ts";
import type { HttpHeaders, Responder } from "./responder.ts";

/** A slower answer becomes a stream, so that intermediaries see that the connection is alive. */
const SLOW_MS = 500;

const json: HttpHeaders = { "content-type": "application/json" };
const retry: HttpHeaders = { "retry-after": "1" };

export interface HttpAnswerOptions {
  readonly head: RequestHead;
  readonly responder: Responder;
  readonly admission: StreamAdmission;
  readonly keepAliveMs: number;
  /** The session of the answer; undefined where the client cannot return. */
  readonly session?: AnsweredSession;
}

/** The members of a session that an answer uses. */
export interface AnsweredSession {
  /** Undefined before there is one. */
  readonly sessionId: string | undefined;
  /** Where the stream of the answer is stored. */
  record(): StreamRecord;
}

/** The answer to one POST: a JSON text, or a stream of events if other messages precede it. */
export class HttpAnswer {
  readonly #options: HttpAnswerOptions;
  readonly #responder: Responder;
  readonly #takesJson: boolean;
  readonly #takesEvents: boolean;
  #stream: EventStream | undefined;
  #isOver = false;
  #forbidden: AuthorizationRefusal | undefined;
  #left: AbortController | undefined;

  constructor(options: HttpAnswerOptions) {
    this.#options = options;
    this.#responder = options.responder;
    this.#takesJson = accepts(options.head, "application/json");
    this.#takesEvents = accepts(options.head, "text/event-stream");
  }

  /** Aborted when the client leaves before the answer. */
  get signal(): AbortSignal {
    if (this.#left === undefined) {
      const left = new AbortController();
      this.#left = left;
      this.#responder.onClose(() => {
        if (!this.#isOver) left.abort();
      });
    }
    return this.#left.signal;
  }

  get stream(): EventStream | undefined {
    return this.#stream;
  }

  /** Whether the client is connected; after leaving it may return or not. */
  get isOpen(): boolean {
    return this.#stream?.isOpen ?? !this.#responder.ended;
  }

  /** Whether messages other than the answer can be sent. */
  get takesEvents(): boolean {
    return this.#takesEvents && (this.#stream !== undefined || !this.#responder.ended);
  }

  /** Waits for the answer: turns a slow one into a stream, which is kept alive by comments. */
  wait(): void {
    const { keepAliveMs } = this.#options;
    const slow = setTimeout(() => this.#begin(), SLOW_MS);
    const alive = setInterval(() => this.#stream?.comment(), keepAliveMs);
    this.#responder.onClose(() => {
      clearTimeout(slow);
      clearInterval(alive);
    });
  }

  /**
   * Sends a message that precedes the answer; dropped for a client that accepts JSON alone.
   * @param state as in `HandleOptions`
   */
  send(frame: string, state?: string): void {
    this.#begin()?.push(frame, state);
  }

  /** Refuses, by the status and headers of the answer, a call that needs other scopes. */
  forbid(needed: readonly string[]): void {
    this.#forbidden = challengeOf(this.#options.admission, needed);
  }

  /** Whether the client may not send an earlier request whose outcome it requests; the answer's status reports that. */
  refuses(request: RequestTarget): boolean {
    const refusal = refusalOf(this.#options.admission, [request]);
    this.#forbidden = refusal ?? this.#forbidden;
    return refusal !== undefined;
  }

  /** Sends the answer. */
  finish(status: number, text: string, more?: HttpHeaders): void {
    if (this.#forbidden === undefined) this.#finish(status, text, more);
    else this.#finish(this.#forbidden.status, text, this.#forbidden.headers);
  }

  #finish(status: number, text: string, more?: HttpHeaders): void {
    const stream = this.#takesJson ? this.#stream : this.#begin();
    this.#isOver = true;
    if (stream === undefined) {
      const isPlain = status !== 503 && more === undefined;
      const headers = isPlain
        ? this.#jsonHeaders
        : {
            ...this.#jsonHeaders,
            ...(status === 503 && retry),
            ...more,
          };
      this.#responder.answer(status, headers, text);
    } else stream.finish(text);
  }

  /** Refuses a request after its body was read. */
  refuse(refused: HttpRefusal, body: unknown): void {
    const { status, headers, body: text } = refused.answerTo(body);
    this.finish(status, text, headers);
  }

  /** Ends where no answer is due. */
  accept(): void {
    this.#isOver = true;
    if (this.#stream === undefined) this.#responder.answer(202, this.#headers);
    else this.#stream.finish();
  }

  /** Ends without an answer. */
  abandon(): void {
    if (this.#stream !== undefined) this.#stream.finish();
    else this.#responder.answer(503, retry, "The session, or the server, ends\n");
  }

  /**
   * Ends the response and stores later messages until the client returns.
   * @returns false, having done nothing, if there can be no stream
   */
  closeForReconnect(retryMs: number): boolean {
    const stream = this.#begin();
    stream?.closeForReconnect(retryMs);
    return stream !== undefined;
  }

  get #headers(): HttpHeaders {
    const id = this.#options.session?.sessionId;
    return id === undefined ? {} : { "mcp-session-id": id };
  }

  get #jsonHeaders(): HttpHeaders {
    const id = this.#options.session?.sessionId;
    return id === undefined ? json : { "mcp-session-id": id, "content-type": "application/json" };
  }

  /** Starts the stream, unless it has started or the client accepts none. */
  #begin(): EventStream | undefined {
    const { session, admission, keepAliveMs } = this.#options;
    const canBegin = !this.#isOver && this.#takesEvents && !this.#responder.ended;
    if (this.#stream === undefined && canBegin) {
      this.#stream = new EventStream(this.#responder, this.#headers, {
        ...{ record: session?.record(), admission, keepAliveMs },
      });
    }
    return this.#stream;
  }
}
