import type {} from "obsidian";

const migrations = new WeakMap<Element, Set<(win: Window) => void>>();

/** Tells an element and what is in it that it was moved to another window. */
export function emitMigration(root: Element, win: Window): void {
  for (const el of [root, ...root.querySelectorAll("*")]) {
    for (const listener of migrations.get(el) ?? []) listener(win);
  }
}

type Listener = (event: Event, target: HTMLElement) => void;
const delegations = new WeakMap<Listener, (event: Event) => void>();

/** `on` with a selector: hears what happens in the elements that match. */
export const delegating = {
  on(this: EventTarget, type: string, selector: string, listener: Listener, options?: boolean) {
    const receivedOf = function (this: unknown, event: Event) {
      const target = (event.target as Element | null)?.closest<HTMLElement>(selector);
      if (target) listener.call(this as EventTarget, event, target);
    };
    delegations.set(listener, receivedOf);
    this.addEventListener(type, receivedOf, options);
  },
  off(this: EventTarget, type: string, _selector: string, listener: Listener, options?: boolean) {
    const receivedOf = delegations.get(listener);
    if (receivedOf !== undefined) this.removeEventListener(type, receivedOf, options);
  },
};

/** Who is told when an element is moved to another window. */
export const migrating = {
  onWindowMigrated(this: HTMLElement, listener: (win: Window) => void) {
    const receivedOf = migrations.get(this) ?? new Set();
    migrations.set(this, receivedOf.add(listener));
    return () => receivedOf.delete(listener);
  },
};
