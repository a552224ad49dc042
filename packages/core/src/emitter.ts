/** Ends a subscription; calling it again does nothing. */
export type Unsubscribe = () => void;

/** Calls the listeners of named events in the order in which they subscribed. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  #listeners: Map<keyof Events, Set<Events[keyof Events]>> | undefined;

  on<E extends keyof Events>(event: E, listener: Events[E]): Unsubscribe {
    this.#listeners ??= new Map();
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set);
    set.add(listener);
    return () => void set.delete(listener);
  }

  emit<E extends keyof Events>(event: E, ...args: Parameters<Events[E]>): void {
    const set = this.#listeners?.get(event);
    if (set === undefined) return;
    for (const listener of [...set])
      (listener as (...args: Parameters<Events[E]>) => void)(...args);
  }

  /** Whether anybody listens: lets a sender skip work that nobody wants. */
  has(event: keyof Events): boolean {
    return (this.#listeners?.get(event)?.size ?? 0) > 0;
  }
}
