import { type StateCarrier, StateOutbox } from "@idewire/core/internal";
import type { Admission } from "../request-head.ts";
import type { ServedConversation } from "../served.ts";
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
 * The client of a session that listens: what the server tells its clients goes to this one by the instance
 * where it listens, or has listened last.
 */
export class SessionListener<Context> implements SessionPart {
  /** The newest request by which the client listens. */
  admission: Admission<Context>;
  readonly #conversation: ServedConversation;
  /** The response to its GET; undefined while the client is away. */
  #response: FollowedResponse | undefined;
  readonly #carrier: StateCarrier;
  /** The newest event that was written to a response that has ended. */
  #told = 0;

  constructor({ instance, known, admission }: SessionListenerOptions<Context>) {
    this.admission = admission;
    // States of an editor wait for the stream, where a newer one takes the place of an older.
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

  /** The newest event that the client was told. */
  get told(): number {
    return this.#response?.told ?? this.#told;
  }

  /** Says which response carries the stream now. */
  carriedBy(response: FollowedResponse): void {
    this.#response = response;
    response.responder.onDrain(() => this.#carrier.ondrain?.());
  }

  /** Sends the states that have waited for a response. */
  flush(): void {
    this.#carrier.ondrain?.();
  }

  /** Says that a response has ended: what is sent from now on is kept for the client's return. */
  left(response: FollowedResponse): void {
    if (this.#response !== response) return;
    this.#told = response.told ?? this.#told;
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
