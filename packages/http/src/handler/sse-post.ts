import type { ServedConversation, SessionState } from "@idewire/core/internal";
import { notTaken } from "./http-refusal.ts";
import type { JsonBody } from "./json-body.ts";
import type { OpenRequest } from "./open-requests.ts";
import type { Admission } from "./request-head.ts";
import { requestedIds } from "./requested-ids.ts";
import { askedIn, cancelledIn } from "./sessions/client-message.ts";
import type { Instance } from "./sessions/instance.ts";

/** Counts a POST until its calls have ended. */
export type PostCount = Pick<OpenRequest, "retain" | "release" | "work">;

export interface SsePostOptions<Context> {
  readonly instance: Instance<Context>;
  /** Of the POST itself. */
  readonly admission: Admission<Context>;
  readonly body: JsonBody;
  readonly open: PostCount;
  /** The session as the request finds it; undefined before `initialize`. */
  readonly session: SessionState | undefined;
  /** Sends the messages that precede the answer. */
  readonly send: (frame: string, state?: string) => void;
  /** Called when the request has changed the session. */
  readonly onchange: (before: SessionState | undefined, mine: SessionState) => void;
  /** Called once, last. @param answer undefined where none is due */
  readonly onend: (answer: string | undefined) => void;
}

/** One POST of HTTP+SSE as a conversation of its own, with the rights of its own credential. */
export class SsePost<Context> {
  readonly #options: SsePostOptions<Context>;
  readonly #conversation: ServedConversation;
  readonly #ids: ReturnType<typeof requestedIds>;
  #isOver = false;

  constructor(options: SsePostOptions<Context>) {
    const { instance, admission, body, session, send, onchange } = options;
    this.#options = options;
    this.#ids = requestedIds(body.value);
    this.#conversation = instance.open({
      ...{ context: admission.context, principal: admission.principal ?? "" },
      ...{ scopes: admission.scopes, receivesChanges: false, session, peer: instance.peer },
      send: (frame, _about, state) => send(frame, state),
      onchange: (state) => onchange(session, state),
      onclose: () => this.#end(undefined),
    });
  }

  run(): void {
    const { body, open } = this.#options;
    open.retain();
    open.work = this;
    const text = this.#conversation.handle(body.value, body.size);
    if (text instanceof Promise) void text.then((late) => this.#end(late));
    else this.#end(text);
  }

  /** Accepts a message of the client if a call here waits for it; returns whether one did. */
  take(message: unknown): boolean {
    const asked = askedIn(message);
    const cancelled = cancelledIn(message);
    const isAwaited = asked !== undefined && this.#conversation.awaits(asked);
    const cancels = cancelled !== undefined && !this.#isOver && this.#ids.includes(cancelled);
    if (isAwaited || cancels) void this.#conversation.handle(message);
    return isAwaited || cancels;
  }

  /** Adopts the changes of another request. */
  restore(session: SessionState): void {
    this.#conversation.restore(session);
  }

  /** Another principal needs its place. */
  evict(): void {
    this.#end(notTaken("Others need this place").answerTo(this.#options.body.value).body);
    this.#conversation.close();
  }

  close(): void {
    this.#conversation.close();
  }

  #end(answer: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.open.release();
    this.#options.onend(answer);
  }
}
