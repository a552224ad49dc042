/** Ends a subscription; further calls have no effect. */
export type Unsubscribe = () => void;

/** Calls the listeners of each event in the order in which they subscribed. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  /** Lists are replaced, never changed, so that an event in progress continues with its own. */
  readonly #subscriptions = new Map<keyof Events, readonly Subscription<Events[keyof Events]>[]>();

  on<E extends keyof Events>(event: E, listener: Events[E]): Unsubscribe {
    // A separate object, so that its end never ends another subscription of the same listener.
    const subscription = { listener, isEnded: false };
    this.#subscriptions.set(event, [...this.#of(event), subscription]);
    return () => {
      if (subscription.isEnded) return;
      subscription.isEnded = true;
      const others = this.#of(event).filter((one) => one !== subscription);
      this.#subscriptions.set(event, others);
    };
  }

  emit<E extends keyof Events>(event: E, ...args: Parameters<Events[E]>): void {
    // Those that subscribe meanwhile are not called, nor are those that end meanwhile.
    for (const { listener, isEnded } of this.#of(event)) {
      if (!isEnded) (listener as (...args: Parameters<Events[E]>) => void)(...args);
    }
  }

  /** Whether the event has listeners; without any, a sender can skip preparing it. */
  has(event: keyof Events): boolean {
    return this.#of(event).length > 0;
  }

  #of(event: keyof Events): readonly Subscription<Events[keyof Events]>[] {
    return this.#subscriptions.get(event) ?? [];
  }
}

interface Subscription<Listener> {
  readonly listener: Listener;
  readonly isEnded: boolean;
}
