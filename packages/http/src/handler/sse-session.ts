import type { ServedConversation, SessionState } from "@idewire/core/internal";
import { EventStream } from "./event-stream.ts";
import type { JsonBody } from "./json-body.ts";
import type { Admission } from "./request-head.ts";
import type { Responder } from "./responder.ts";
import { askedIn } from "./sessions/client-message.ts";
import type { Instance, SessionPart } from "./sessions/instance.ts";
import { mergeState } from "./sessions/merge-state.ts";
import { PassedStream } from "./sessions/passed-stream.ts";
import type { SessionOrder } from "./sessions/relay.ts";
import { type PostCount, SsePost } from "./sse-post.ts";

export interface SseSessionOptions<Context> {
  readonly instance: Instance<Context>;
  readonly id: string;
  /** The response to the GET, which carries all our messages. */
  readonly responder: Responder;
  readonly admission: Admission<Context>;
  /** The address for the client's POSTs. */
  readonly address: string;
}

/**
 * One client of HTTP+SSE, for as long as its stream lasts. Each POST is a conversation of its own, judged by its
 * own credential, here or at the instance where it arrives.
 */
export class SseSession<Context> implements SessionPart {
  readonly isAway = false;
  readonly principal: string;
  readonly #options: SseSessionOptions<Context>;
  readonly #stream: EventStream;
  /** The conversation that subscribes to the server's changes and has the session's state. */
  readonly #listener: ServedConversation;
  readonly #posts = new Set<SsePost<Context>>();
  /** The answers to requests that run at other instances. */
  readonly #passed = new Set<PassedStream>();
  #isOver = false;

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

  /** Runs a body that arrived here; its answers are sent on the stream. */
  run(body: JsonBody, admission: Admission<Context>, open: PostCount): void {
    const { instance } = this.#options;
    const post: SsePost<Context> = new SsePost({
      ...{ instance, admission, body, open, session: this.#listener.session },
      send: (frame, state) => this.#stream.push(frame, state),
      onchange: (before, mine) => this.#restore(before, mine),
      onend: (answer) => {
        this.#posts.delete(post);
        if (answer !== undefined) this.#stream.push(answer);
      },
    });
    this.#posts.add(post);
    post.run();
  }

  take({ message, begun, change, ended }: SessionOrder): boolean | Promise<boolean> {
    if (message !== undefined) return this.#deliver(message);
    if (begun !== undefined) return this.#follow(begun);
    if (change !== undefined) this.#restore(change.before, change.mine);
    if (ended === true) this.#listener.close();
    return true;
  }

  leave(): void {
    this.#isOver = true;
    this.#listener.close();
    for (const post of this.#posts) post.close();
    for (const passed of this.#passed) passed.stop();
    this.#passed.clear();
  }

  /** Forwards an answer or a cancellation to the waiting call; returns whether there is one. */
  #deliver(message: unknown): boolean {
    const asked = askedIn(message);
    if (asked !== undefined && this.#listener.awaits(asked)) {
      void this.#listener.handle(message);
      return true;
    }
    return [...this.#posts].some((post) => post.take(message));
  }

  /** Forwards the answers of a POST that runs at another instance, after sending that the session's state. */
  async #follow(stream: string): Promise<boolean> {
    const { instance, id } = this.#options;
    const { sessions, store, relay } = instance;
    const passed: PassedStream = new PassedStream({
      ...{ store, key: `${id}:${stream}`, onerror: (error) => sessions.report(error) },
      onframe: (frame) => this.#stream.push(frame),
      onend: (isLost) => {
        this.#passed.delete(passed);
        // Its client would wait for an answer that never comes.
        if (isLost) this.#listener.close();
      },
    });
    this.#passed.add(passed);
    try {
      const isThere = await passed.start();
      const state = this.#listener.session;
      if (isThere && state !== undefined) await relay.broadcast({ session: id, state });
      return isThere && !this.#isOver;
    } catch (error) {
      sessions.report(error);
      passed.stop();
      return false;
    }
  }

  /** The changes of a request apply to all later ones. */
  #restore(before: SessionState | undefined, mine: SessionState): void {
    const { instance, id } = this.#options;
    const now = this.#listener.session;
    const state = before === undefined || now === undefined ? mine : mergeState(before, mine, now);
    this.#listener.restore(state);
    for (const post of this.#posts) post.restore(state);
    if (this.#passed.size === 0) return;
    instance.relay
      .broadcast({ session: id, state })
      .catch((error: unknown) => instance.sessions.report(error));
  }
}
