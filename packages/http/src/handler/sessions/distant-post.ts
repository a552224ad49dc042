import type { SessionState } from "@idewire/core/internal";
import { STREAM_TTL_MS } from "../event-stream.ts";
import { notTaken, toRefusal } from "../http-refusal.ts";
import type { JsonBody } from "../json-body.ts";
import type { Admission } from "../request-head.ts";
import { requestedIds } from "../requested-ids.ts";
import { type PostCount, SsePost } from "../sse-post.ts";
import type { Instance, SessionPart } from "./instance.ts";
import type { SessionOrder } from "./relay.ts";

export interface DistantPostOptions<Context> {
  readonly instance: Instance<Context>;
  readonly admission: Admission<Context>;
  /** Of the session. */
  readonly id: string;
  readonly body: JsonBody;
  readonly open: PostCount;
}

/**
 * A POST of HTTP+SSE whose stream is at another instance. It runs here, where its credential was judged: the other
 * instance only passes on the session's state, and forwards the answers from the store.
 */
export class DistantPost<Context> implements SessionPart {
  /** The session lasts as long as its stream, even if calls still run here. */
  readonly isAway = true;
  readonly #options: DistantPostOptions<Context>;
  readonly #stream: string = crypto.randomUUID().replaceAll("-", "");
  #state: SessionState | undefined;
  #post: SsePost<Context> | undefined;
  /** Resolves when the instance with the stream has all changes so far. */
  #changed: Promise<void> = Promise.resolve();
  #alive: ReturnType<typeof setInterval> | undefined;
  #isOver = false;

  constructor(options: DistantPostOptions<Context>) {
    this.#options = options;
  }

  /**
   * Begins to answer; resolves when other messages of the client can count on it.
   * @throws HttpRefusal when there is no stream, or the store cannot be reached
   */
  async start(): Promise<void> {
    const { instance, id, admission, body, open } = this.#options;
    const { sessions, relay } = instance;
    instance.keep(id, this);
    try {
      await sessions.reach(this.#extend());
      const isFollowed = relay.deliver({ session: id, begun: this.#stream });
      if (!(await sessions.reach(isFollowed)) || this.#isOver) throw closed();
    } catch (error) {
      this.#append("", true);
      this.#end();
      throw error;
    }
    this.#alive = setInterval(() => {
      this.#extend().catch((error: unknown) => sessions.report(error));
    }, instance.keepAliveMs);
    this.#post = new SsePost({
      ...{ instance, admission, body, open, session: this.#state },
      send: (frame) => this.#append(frame),
      onchange: (before, mine) => this.#change(before, mine),
      onend: (answer) => this.#finish(answer),
    });
    this.#post.run();
    await this.#changed.catch(() => undefined);
  }

  take({ message, state, ended }: SessionOrder): boolean {
    if (message !== undefined) return this.#post?.take(message) === true;
    if (state !== undefined) {
      this.#state = state;
      this.#post?.restore(state);
    }
    if (ended === true) {
      this.#end();
      this.#post?.close();
    }
    return false;
  }

  /** The instance with the stream reports the losses. */
  leave(): void {
    this.#end();
    this.#post?.close();
  }

  get #key(): string {
    return `${this.#options.id}:${this.#stream}`;
  }

  /** Starts the stream, or extends its lifetime. */
  #extend(): Promise<void> {
    const { instance, admission, body } = this.#options;
    const info = {
      ...{ holder: instance.lease, principal: admission.principal ?? "" },
      ids: requestedIds(body.value),
    };
    return instance.store.events.open(this.#key, info, STREAM_TTL_MS);
  }

  #append(frame: string, ends = false): void {
    if (this.#isOver) return;
    const { store, sessions } = this.#options.instance;
    store.events
      .append(this.#key, { frame, ends }, STREAM_TTL_MS)
      .catch((error: unknown) => sessions.report(error));
  }

  #change(before: SessionState | undefined, mine: SessionState): void {
    const { instance, id } = this.#options;
    const change = { before, mine };
    this.#changed = this.#changed.then(async () => {
      const isDone = instance.relay.deliver({ session: id, change });
      if (!(await instance.sessions.reach(isDone))) throw closed();
    });
    this.#changed.catch(() => undefined);
  }

  /** Answers once the instance with the stream has the changes of the request. */
  #finish(answer = ""): void {
    this.#changed.then(
      () => this.#last(answer),
      (error: unknown) => this.#last(toRefusal(error).answerTo(this.#options.body.value).body),
    );
  }

  #last(answer: string): void {
    this.#append(answer, true);
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#alive);
    this.#options.instance.drop(this.#options.id, this);
  }
}

function closed(): Error {
  return notTaken("The stream of this session is closed");
}
