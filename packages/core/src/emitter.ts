/** Ends a subscription; calling it again does nothing. */
export type Unsubscribe = () => void;

/** Calls the listeners of named events in the order in which they subscribed. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  // Lists are replaced, never changed, so that emitting needs no copy. Each subscription is a value
  // of its own, so that undoing one never undoes another of the same listener.
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

  /** Whether anybody listens: lets a sender skip work that nobody wants. */
  has(event: keyof Events): boolean {
    return (this.#subscriptions?.get(event)?.length ?? 0) > 0;
  }
}

interface Subscription<Listener> {
  readonly listener: Listener;
  ended: boolean;
}
