type Callback = (...data: never[]) => unknown;

/** The handle that `on` returns. */
export interface EventRef {
  readonly source: Events;
  readonly name: string;
  readonly callback: Callback;
  readonly context: unknown;
}

/** The current listeners on workspace, vault, cache and leaves. */
const receivedOf = new Set<EventRef>();

export function receivedEvents(): string[] {
  return [...receivedOf].map(({ source, name }) => `${source.constructor.name} ${name}`);
}

export class Events {
  readonly #refs = new Map<string, Set<EventRef>>();

  on(name: string, callback: Callback, context?: unknown): EventRef {
    const ref = { source: this, name, callback, context };
    const refs = this.#refs.get(name) ?? new Set();
    this.#refs.set(name, refs.add(ref));
    receivedOf.add(ref);
    return ref;
  }

  offref(ref: EventRef): void {
    this.#refs.get(ref.name)?.delete(ref);
    receivedOf.delete(ref);
  }

  trigger(name: string, ...data: unknown[]): void {
    for (const ref of [...(this.#refs.get(name) ?? [])]) this.tryTrigger(ref, data);
  }

  /** A listener that throws does not prevent the others from being called. */
  tryTrigger(ref: EventRef, args: unknown[]): void {
    try {
      ref.callback.apply(ref.context, args as never[]);
    } catch (error) {
      reportError(error);
    }
  }
}
