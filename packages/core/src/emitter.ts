/** Ends a subscription; further calls have no effect. */
export type Unsubscribe = () => void;

/** Calls the listeners of each event in the order in which they subscribed. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  // Lists are replaced, never mutated, so that emit can iterate without a copy. Each subscription is a
  // separate object, so that ending one never ends another with the same listener.
  #subscriptions: Map<keyof Events, readonly Subscription<Events[keyof Events]>[]> | undefined;

  on<E extends keyof Events>(event: E, listener: Events[E]): Unsubscribe {
    this.#subscriptions ??= new Map();
    const all = this.#subscriptions;
    const subscription = { listener, ended: false };
    all.set(event, [...(all.get(event) ?? []), subscription]);
    return () => {
      subscription.ended = true;
      all.set(
        event,
        (all.get(event) ?? []).filter(({ ended }) => !ended),
      );
    };
  }

  emit<E extends keyof Events>(event: E, ...args: Parameters<Events[E]>): void {
    for (const { listener, ended } of this.#subscriptions?.get(event) ?? []) {
      if (!ended) (listener as (...args: Parameters<Events[E]>) => void)(...args);
    }
  }

  /** Whether the event has listeners; without any, a sender can skip preparing it. */
  has(event: keyof Events): boolean {
    return (this.#subscriptions?.get(event)?.length ?? 0) > 0;
  }
}

interface Subscription<Listener> {
  readonly listener: Listener;
  ended: boolean;
}
