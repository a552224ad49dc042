import type { FollowedStream, StoredEvent } from "@idewire/core/internal";
import type { McpStore } from "@idewire/core/server";
import { endWithCredential, maySend, refusalOf, type StreamAdmission } from "../admission.ts";
import { MAX_UNREAD } from "../event-stream.ts";
import { HttpRefusal } from "../http-refusal.ts";
import type { HttpHeaders, Responder } from "../responder.ts";
import type { SessionPart } from "./instance.ts";
import type { SessionOrder } from "./relay.ts";
import { GENERAL } from "./stored-sessions.ts";
import { watchHolder } from "./watch-holder.ts";

export interface FollowedResponseOptions {
  readonly store: Pick<McpStore, "events" | "leases">;
  readonly key: string;
  /** The stream's name in the ids of its events. */
  readonly name: string;
  readonly responder: Responder;
  /** The request that is answered; by default one with access to everything. */
  readonly admission?: StreamAdmission;
  readonly headers: HttpHeaders;
  readonly keepAliveMs: number;
  /** The delay sent to the client when this instance leaves; none by default. */
  readonly retryMs?: number | undefined;
  /** Called when the response has ended. */
  readonly onend: () => void;
}

/** The response to a GET, which continues a stream that any instance appends to. */
export class FollowedResponse implements SessionPart {
  /** Distinguishes it from other responses with the same stream. */
  readonly token: string = crypto.randomUUID();
  readonly #options: FollowedResponseOptions;
  #followed: FollowedStream | undefined;
  /** The events from before the start of the response. */
  #early: StoredEvent[] | undefined = [];
  readonly isAway = false;
  #lastEvent: number | undefined;
  #alive: ReturnType<typeof setInterval> | undefined;
  #unwatch: (() => void) | undefined;
  #isOver = false;

  constructor(options: FollowedResponseOptions) {
    this.#options = options;
  }

  get responder(): Responder {
    return this.#options.responder;
  }

  /**
   * Sends the events after a given one, and continues. Of messages that belong to no request, a client that is
   * behind a gap gets the retained ones, after an event `gap` with the number of the lost ones.
   * @param primes whether the client is sent the id of that event
   * @returns false, having sent nothing, if events are missing
   * @throws HttpRefusal when the client may not make the request that the events answer
   */
  async start(after: number, primes = false): Promise<boolean> {
    const { store, key, name, responder, admission = {}, headers, keepAliveMs } = this.#options;
    try {
      this.#followed = await this.#follow(after);
    } finally {
      if (this.#followed === undefined) this.#forget();
    }
    if (this.#followed === undefined) return false;
    const refusal = refusalOf(admission, this.#followed.info.asks ?? []);
    if (refusal !== undefined) {
      this.#forget();
      throw new HttpRefusal(refusal.status, refusal.message, refusal);
    }
    responder.begin(headers);
    endWithCredential(admission, responder, keepAliveMs);
    if (this.#isOver) {
      // Another response has taken over the stream, or the session has ended, before this one has begun.
      this.#followed.stop();
      responder.end();
      return true;
    }
    responder.onClose(() => this.#end());
    this.#alive = setInterval(() => responder.write(":\n\n"), keepAliveMs);
    const { after: begun } = this.#followed;
    if (begun > after) {
      const missing = JSON.stringify({ missing: begun - after });
      responder.write(`event: gap\nid: ${name}-${begun}\ndata: ${missing}\n\n`);
    } else if (primes) responder.write(`id: ${name}-${after}\ndata:\n\n`);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.#onEvent(event);
    if (responder.ended) this.#end();
    else this.#unwatch = watchHolder(store, key, this.#followed.info);
    return true;
  }

  take({ message, moved, ended }: SessionOrder): boolean {
    const isElsewhere = moved?.stream === this.#options.name && moved.to !== this.token;
    if (ended === true || isElsewhere) this.#end();
    return message === undefined;
  }

  leave(): void {
    const { retryMs, responder } = this.#options;
    if (retryMs !== undefined && !this.#isOver) responder.write(`retry: ${retryMs}\n\n`);
    this.#end();
  }

  /** The newest event that was written; undefined before the first. */
  get lastEvent(): number | undefined {
    return this.#lastEvent;
  }

  async #follow(after: number): Promise<FollowedStream | undefined> {
    const { store, key, name } = this.#options;
    const listener = { onevent: this.#onEvent.bind(this), onlost: this.#end.bind(this) };
    const followed = await store.events.follow(key, after, listener);
    if (followed !== undefined || name !== GENERAL) return followed;
    const kept = await store.events.follow(key, undefined, listener);
    if (kept === undefined || kept.after > after) return kept;
    // The client names an event that the stream does not have.
    kept.stop();
    return undefined;
  }

  #onEvent(event: StoredEvent): void {
    if (this.#early !== undefined) {
      this.#early.push(event);
      return;
    }
    const { responder, name, admission = {} } = this.#options;
    const { number, frame, ends } = event;
    const isSent = frame !== "" && maySend(admission, frame);
    if (responder.bufferedAmount > MAX_UNREAD) responder.destroy();
    // Unformatted JSON contains no line break.
    this.#lastEvent = number;
    if (isSent) responder.write(`event: message\nid: ${name}-${number}\ndata: ${frame}\n\n`);
    if (ends) this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#forget();
    if (this.#early === undefined) this.#options.responder.end();
  }

  #forget(): void {
    this.#isOver = true;
    clearInterval(this.#alive);
    this.#unwatch?.();
    this.#followed?.stop();
    this.#options.onend();
  }
}
