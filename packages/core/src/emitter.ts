/** Ends a subscription; further calls have no effect. */
export type Unsubscribe = () => void;

/** Calls the listeners of each event in the order in which they subscribed. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  // Each subscription is a separate object, so that ending one never ends another with the same listener.
  readonly #subscriptions = new Set<Subscription<keyof Events, Events[keyof Events]>>();

  on<E extends keyof Events>(event: E, listener: Events[E]): Unsubscribe {
    const subscription = { event, listener };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  emit<E extends keyof Events>(event: E, ...args: Parameters<Events[E]>): void {
    // Those that subscribe meanwhile are not called, nor are those that end meanwhile.
    for (const subscription of [...this.#subscriptions]) {
      if (subscription.event !== event || !this.#subscriptions.has(subscription)) continue;
      (subscription.listener as (...args: Parameters<Events[E]>) => void)(...args);
    }
  }

  /** Whether the event has listeners; without any, a sender can skip preparing it. */
  has(event: keyof Events): boolean {
    return [...this.#subscriptions].some((subscription) => subscription.event === event);
  }
}

interface Subscription<Event, Listener> {
  readonly event: Event;
  readonly listener: Listener;
}
