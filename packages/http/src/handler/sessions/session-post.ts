import type { OpenOptions, RequestId } from "@idewire/core/internal";
import { isRequestId, type ServedConversation, type SessionState } from "@idewire/core/internal";
import type { StreamRecord } from "../event-stream.ts";
import { type AnsweredSession, HttpAnswer } from "../http-answer.ts";
import { toRefusal } from "../http-refusal.ts";
import type { Incoming } from "../incoming.ts";
import type { JsonBody } from "../json-body.ts";
import { statusOfLegacy } from "../legacy-requests.ts";
import type { OpenRequest } from "../open-requests.ts";
import type { Admission } from "../request-head.ts";
import { requestedIds } from "../requested-ids.ts";
import { askedIn, cancelledIn } from "./client-message.ts";
import type { Instance, SessionPart } from "./instance.ts";
import type { SessionOrder } from "./relay.ts";
import type { KnownSession } from "./stored-sessions.ts";

export interface SessionPostOptions<Context> {
  readonly instance: Instance<Context>;
  readonly admission: Admission<Context>;
  /** Of the session. */
  readonly id: string;
  /** Undefined for the request that begins the session. */
  readonly known: KnownSession | undefined;
  /** The share of the request until its calls have ended, whether or not its client waits for them. */
  readonly open: Pick<OpenRequest, "retain" | "release" | "work">;
}

/**
 * One POST of a session, as a conversation of its own: other requests of the session may run at other instances.
 * It implements what the conversation is opened with, and what its answer uses of the session.
 */
export class SessionPost<Context> implements SessionPart, OpenOptions<Context>, AnsweredSession {
  readonly context: Context;
  readonly principal: string;
  readonly scopes: readonly string[] | undefined;
  readonly receivesChanges = false;
  readonly session: SessionState | undefined;
  readonly peer: OpenOptions<Context>["peer"] & object;
  readonly #options: SessionPostOptions<Context>;
  readonly #conversation: ServedConversation;
  readonly #answer: HttpAnswer;
  readonly #body: JsonBody;
  readonly #ids: readonly RequestId[];
  #state: SessionState | undefined;
  #isOver = false;

  constructor(
    options: SessionPostOptions<Context>,
    { head, responder }: Pick<Incoming<Context>, "head" | "responder">,
    body: JsonBody,
  ) {
    const { instance, known, admission } = options;
    this.context = admission.context;
    this.principal = admission.principal ?? "";
    this.scopes = admission.scopes;
    this.session = known?.state;
    this.peer = instance.peer;
    this.#options = options;
    this.#state = known?.state;
    this.#body = body;
    this.#ids = requestedIds(body.value);
    const { keepAliveMs } = instance;
    this.#answer = new HttpAnswer({ head, responder, admission, keepAliveMs, session: this });
    this.#conversation = instance.open(this);
  }

  get isAway(): boolean {
    return !this.#answer.isOpen;
  }

  /** Answers the request. */
  run(): void {
    const { instance, id, known, open } = this.#options;
    const { value, size } = this.#body;
    open.retain();
    // Not a function, which V8 allocates as long-lived here: the whole request would outlive its answer.
    open.work = this;
    if (known !== undefined) instance.keep(id, this);
    const text = this.#conversation.handle(value, size);
    if (text instanceof Promise) {
      this.#answer.wait();
      void text.then((late) => this.#settle(late));
    } else this.#settle(text);
  }

  take({ message, moved, ended }: SessionOrder): boolean {
    if (message !== undefined) return this.#deliver(message);
    const stream = this.#answer.stream;
    if (moved !== undefined && stream?.name === moved.stream) stream.detach();
    if (ended === true) this.#conversation.close();
    return true;
  }

  evict(): void {
    this.#conversation.close();
  }

  leave(): void {
    this.#answer.stream?.leave();
    this.#conversation.close();
  }

  /** A session exists once it is negotiated: a refused `initialize` opens none. */
  get sessionId(): string | undefined {
    return this.#state === undefined ? undefined : this.#options.id;
  }

  get #canReturn(): boolean {
    // The clients of an editor do not accept empty events.
    const isLive = this.#options.instance.live !== undefined;
    return !isLive && (this.#state?.revision ?? "") >= "2025-11-25";
  }

  record(): StreamRecord {
    const { instance, id } = this.#options;
    const name = crypto.randomUUID().replaceAll("-", "");
    return {
      ...{ events: instance.store.events, key: `${id}:${name}`, name, primes: this.#canReturn },
      info: {
        ...{ holder: instance.lease, principal: this.principal },
        ...{ ids: this.#ids, asks: instance.asksOf(this.#body.value) },
      },
      onerror: (error: unknown) => instance.sessions.report(error),
    };
  }

  send(frame: string, about?: RequestId, state?: string): void {
    if (this.#carries(about)) this.#answer.send(frame, state);
    else this.#options.instance.sendGeneral(this.#options.id, frame);
  }

  reaches(about?: RequestId): boolean {
    if (this.#isOver) return false;
    return this.#carries(about) || this.#options.known?.record.listens === true;
  }

  releaseStream(about: RequestId, retryMs: number): boolean {
    return this.#canReturn && this.#carries(about) && this.#answer.closeForReconnect(retryMs);
  }

  #carries(about: RequestId | undefined): boolean {
    if (about === undefined || this.#isOver || !this.#ids.includes(about)) return false;
    return this.#answer.takesEvents;
  }

  /** Accepts a message of the client if a call here waits for it; returns whether one did. */
  #deliver(message: unknown): boolean {
    const asked = askedIn(message);
    const cancelled = cancelledIn(message);
    const isAnswer = isRequestId(asked) && this.#conversation.awaits(asked);
    const cancels = cancelled !== undefined && !this.#isOver && this.#ids.includes(cancelled);
    if (isAnswer || cancels) void this.#conversation.handle(message);
    return isAnswer || cancels;
  }

  /** Answers once the request's changes are stored, so that every instance has them. */
  #settle(text: string | undefined): void {
    const { instance, id, known, admission } = this.#options;
    const state = this.#state;
    if (this.#isOver) return;
    if (state === undefined || state === known?.state) {
      this.#finish(text);
      return;
    }
    const saved =
      known === undefined ? instance.begin(id, admission, state) : instance.saveState(known, state);
    saved.then(
      () => this.#finish(text, known !== undefined),
      (error: unknown) => {
        this.#end();
        this.#answer.refuse(toRefusal(error), this.#body.value);
      },
    );
  }

  /** @param isReleased whether the store has recorded the end of the calls */
  #finish(text: string | undefined, isReleased = false): void {
    if (this.#isOver) return;
    this.#end(isReleased);
    if (text === undefined) this.#answer.accept();
    else this.#answer.finish(statusOfLegacy(text, this.#ids), text);
  }

  /** The rest of a batch has been carried out: its answer remains an answer. */
  onforbidden(needed: readonly string[]): void {
    if (!Array.isArray(this.#body.value)) this.#answer.forbid(needed);
  }

  onchange(state: SessionState): void {
    this.#state = state;
  }

  onclose(): void {
    if (this.#isOver) return;
    this.#answer.abandon();
    this.#end();
  }

  #end(isReleased = false): void {
    this.#isOver = true;
    const { instance, id, known, open } = this.#options;
    open.release();
    instance.drop(id, this);
    if (known !== undefined && !isReleased) instance.sessions.release(known);
  }
}
