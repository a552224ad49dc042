import type {} from "obsidian";

const migrations = new WeakMap<Element, Set<(win: Window) => void>>();

/** Tells an element and what is in it that it was moved to another window. */
export function tellMigration(root: Element, win: Window): void {
  for (const el of [root, ...root.querySelectorAll("*")]) {
    for (const listener of migrations.get(el) ?? []) listener(win);
  }
}

type Listener = (event: Event, target: HTMLElement) => void;
const delegations = new WeakMap<Listener, (event: Event) => void>();

/** `on` with a selector: hears what happens in the elements that match. */
export const delegating = {
  on(this: EventTarget, type: string, selector: string, listener: Listener, options?: boolean) {
    const heard = function (this: unknown, event: Event) {
      const target = (event.target as Element | null)?.closest<HTMLElement>(selector);
      if (target) listener.call(this as EventTarget, event, target);
    };
    delegations.set(listener, heard);
    this.addEventListener(type, heard, options);
  },
  off(this: EventTarget, type: string, _selector: string, listener: Listener, options?: boolean) {
    const heard = delegations.get(listener);
    if (heard !== undefined) this.removeEventListener(type, heard, options);
  },
};

/** Who is told when an element is moved to another window. */
export const migrating = {
  onWindowMigrated(this: HTMLElement, listener: (win: Window) => void) {
    const heard = migrations.get(this) ?? new Set();
    migrations.set(this, heard.add(listener));
    return () => heard.delete(listener);
  },
};
