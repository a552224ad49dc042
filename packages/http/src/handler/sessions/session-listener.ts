import { type ServedConversation, type StateCarrier, StateOutbox } from "@idewire/core/internal";
import type { Admission } from "../request-head.ts";
import { askedIn } from "./client-message.ts";
import type { FollowedResponse } from "./followed-response.ts";
import type { Instance, SessionPart } from "./instance.ts";
import type { SessionOrder } from "./relay.ts";
import { GENERAL, type KnownSession } from "./stored-sessions.ts";

export interface SessionListenerOptions<Context> {
  readonly instance: Instance<Context>;
  readonly admission: Admission<Context>;
  readonly known: KnownSession;
}

/**
 * The subscribed client of a session: the server's unsolicited messages reach it through the instance where it is
 * subscribed, or was last.
 */
export class SessionListener<Context> implements SessionPart {
  /** The newest request by which the client is subscribed. */
  admission: Admission<Context>;
  readonly #conversation: ServedConversation;
  /** The response to its GET; undefined while the client is disconnected. */
  #response: FollowedResponse | undefined;
  readonly #carrier: StateCarrier;
  /** The newest event written to a response that has ended. */
  #lastEvent = 0;

  constructor({ instance, known, admission }: SessionListenerOptions<Context>) {
    this.admission = admission;
    // States of an editor wait for the stream; a newer one replaces an older one.
    const away = instance.live === undefined ? 0 : Number.POSITIVE_INFINITY;
    const bufferedAmount = (): number => this.#response?.responder.bufferedAmount ?? away;
    const contextNow = (): Context => this.admission.context;
    this.#carrier = {
      send: (frame) => instance.sendGeneral(known.id, frame),
      ondrain: undefined,
      get bufferedAmount() {
        return bufferedAmount();
      },
    };
    const states = new StateOutbox(this.#carrier);
    this.#conversation = instance.open({
      get context() {
        return contextNow();
      },
      principal: admission.principal ?? "",
      ...{ session: known.state, sessionId: known.id, peer: instance.peer },
      send: (frame, _about, state) => {
        if (state === undefined) instance.sendGeneral(known.id, frame);
        else states.send(state, frame);
      },
      onclose: () => instance.forget(known.id, this),
    });
  }

  get isAway(): boolean {
    return this.#response === undefined;
  }

  /** The newest event that was sent to the client. */
  get lastEvent(): number {
    return this.#response?.lastEvent ?? this.#lastEvent;
  }

  /** Announces the response that now carries the stream. */
  carriedBy(response: FollowedResponse): void {
    this.#response = response;
    response.responder.onDrain(() => this.#carrier.ondrain?.());
  }

  /** Sends the states that waited for a response. */
  flush(): void {
    this.#carrier.ondrain?.();
  }

  /** Records that a response has ended: later messages are stored until the client returns. */
  left(response: FollowedResponse): void {
    if (this.#response !== response) return;
    this.#lastEvent = response.lastEvent ?? this.#lastEvent;
    this.#response = undefined;
    this.#carrier.ondrain?.();
  }

  take({ message, state, moved, ended }: SessionOrder): boolean {
    if (message !== undefined) {
      const id = askedIn(message);
      if (id === undefined || !this.#conversation.awaits(id)) return false;
      void this.#conversation.handle(message);
    }
    if (state !== undefined) this.#conversation.restore(state);
    const isElsewhere = moved?.stream === GENERAL && moved.to !== this.#response?.token;
    if (ended === true || isElsewhere) this.#conversation.close();
    return true;
  }

  leave(): void {
    this.#conversation.close();
  }
}
