import type { SessionState } from "@idewire/core/internal";
import { EventStream } from "./event-stream.ts";
import type { JsonBody } from "./json-body.ts";
import type { OpenRequest } from "./open-requests.ts";
import type { Admission } from "./request-head.ts";
import { requestedIds } from "./requested-ids.ts";
import type { Responder } from "./responder.ts";
import type { ServedConversation } from "./served.ts";
import { askedIn, cancelledIn, isForAnyone } from "./sessions/client-message.ts";
import type { Instance, SessionPart } from "./sessions/instance.ts";
import { mergeState } from "./sessions/merge-state.ts";
import type { SessionOrder } from "./sessions/relay.ts";

export interface SseSessionOptions<Context> {
  readonly instance: Instance<Context>;
  /** The response to the GET, which carries all that we send. */
  readonly responder: Responder;
  readonly admission: Admission<Context>;
  /** Where the client is to post. */
  readonly address: string;
}

/** Counts a POST until its calls have ended. */
type PostCount = Pick<OpenRequest, "retain" | "release" | "onevict">;

/** A conversation of one POST, and the requests in it. */
interface Post {
  readonly conversation: ServedConversation;
  readonly ids: ReturnType<typeof requestedIds>;
}

/**
 * One client of HTTP+SSE: it lasts as long as its stream. Each POST is a conversation of its own, judged by its own
 * credential.
 */
export class SseSession<Context> implements SessionPart {
  readonly isAway = false;
  readonly principal: string;
  readonly #options: SseSessionOptions<Context>;
  readonly #stream: EventStream;
  /** Hears the changes of the server. */
  readonly #listener: ServedConversation;
  readonly #posts = new Set<Post>();

  constructor(options: SseSessionOptions<Context>) {
    const { instance, responder, admission, address } = options;
    const { keepAliveMs } = instance;
    this.#options = options;
    this.principal = admission.principal ?? "";
    const stream = new EventStream(responder, {}, { admission, keepAliveMs });
    this.#stream = stream;
    responder.write(`event: endpoint\ndata: ${address}\n\n`);
    const alive = setInterval(() => stream.comment(), keepAliveMs);
    this.#listener = instance.open({
      ...{ context: admission.context, principal: this.principal, peer: instance.peer },
      scopes: admission.scopes,
      send: (frame, _about, state) => stream.push(frame, state),
      onclose: () => stream.finish(),
    });
    responder.onClose(() => {
      clearInterval(alive);
      this.leave();
    });
  }

  /** Receives a body; its answers are sent on the stream. */
  handle({ value: body, size }: JsonBody, admission: Admission<Context>, open: PostCount): void {
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const passed = messages.filter(isForAnyone);
    for (const message of passed) this.#pass(message);
    if (passed.length === 0) this.#run({ value: body, size }, admission, open);
    else if (passed.length < messages.length) {
      const value = messages.filter((message) => !isForAnyone(message));
      this.#run({ value, size }, admission, open);
    }
  }

  /** What another instance passes on is limited as one conversation. */
  take({ message, ended }: SessionOrder): boolean {
    if (message !== undefined) this.#answer(this.#listener, message);
    if (ended === true) this.#listener.close();
    return true;
  }

  leave(): void {
    this.#listener.close();
    for (const { conversation } of this.#posts) conversation.close();
  }

  /** Forwards an answer or a cancellation to the waiting call. */
  #pass(message: unknown): void {
    const asked = askedIn(message);
    const cancelled = cancelledIn(message);
    const all = [{ conversation: this.#listener, ids: [] }, ...this.#posts];
    for (const { conversation, ids } of all) {
      const isAwaited = asked !== undefined && conversation.awaits(asked);
      const cancels = cancelled !== undefined && ids.includes(cancelled);
      if (isAwaited || cancels) void conversation.handle(message);
    }
  }

  #run(body: JsonBody, { context, scopes }: Admission<Context>, open: PostCount): void {
    const { instance } = this.#options;
    const before = this.#listener.session;
    const end = () => {
      if (this.#posts.delete(post)) open.release();
    };
    const conversation = instance.open({
      ...{ context, principal: this.principal, peer: instance.peer },
      ...{ hearsChanges: false, session: before, scopes },
      send: (frame, _about, state) => this.#stream.push(frame, state),
      onchange: (state) => this.#restore(before, state),
      onclose: end,
    });
    const post = { conversation, ids: requestedIds(body.value) };
    this.#posts.add(post);
    open.retain();
    open.onevict = () => conversation.close();
    this.#answer(conversation, body.value, { size: body.size, end });
  }

  #answer(
    conversation: ServedConversation,
    message: unknown,
    { size = 0, end = () => undefined }: { size?: number; end?: () => void } = {},
  ): void {
    const finish = (text: string | undefined) => {
      end();
      if (text !== undefined) this.#stream.push(text);
    };
    const text = conversation.handle(message, size);
    if (text instanceof Promise) void text.then(finish);
    else finish(text);
  }

  /** The changes of a request apply to all later ones. */
  #restore(before: SessionState | undefined, mine: SessionState): void {
    const now = this.#listener.session;
    const state = before === undefined || now === undefined ? mine : mergeState(before, mine, now);
    this.#listener.restore(state);
    for (const { conversation } of this.#posts) conversation.restore(state);
  }
}
