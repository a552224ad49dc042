/** Ends a subscription; calling it again does nothing. */
export type Unsubscribe = () => void;

/** Calls the listeners of named events in the order in which they subscribed. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  // Each subscription is a value of its own, so that undoing one never undoes another of the same
  // listener.
  #subscriptions: Map<keyof Events, Set<Subscription<Events[keyof Events]>>> | undefined;

  on<E extends keyof Events>(event: E, listener: Events[E]): Unsubscribe {
    this.#subscriptions ??= new Map();
    const set = this.#subscriptions.get(event) ?? new Set();
    this.#subscriptions.set(event, set);
    const subscription = { listener };
    set.add(subscription);
    return () => void set.delete(subscription);
  }

  emit<E extends keyof Events>(event: E, ...args: Parameters<Events[E]>): void {
    const set = this.#subscriptions?.get(event);
    if (set === undefined) return;
    for (const subscription of [...set]) {
      if (!set.has(subscription)) continue;
      (subscription.listener as (...args: Parameters<Events[E]>) => void)(...args);
    }
  }

  /** Whether anybody listens: lets a sender skip work that nobody wants. */
  has(event: keyof Events): boolean {
    return (this.#subscriptions?.get(event)?.size ?? 0) > 0;
  }
}

interface Subscription<Listener> {
  readonly listener: Listener;
}
