import type {} from "obsidian";

const migrations = new WeakMap<Element, Set<(win: Window) => void>>();

/** Notifies an element and its descendants that they were moved to another window. */
export function emitMigration(root: Element, win: Window): void {
  for (const el of [root, ...root.querySelectorAll("*")]) {
    for (const listener of migrations.get(el) ?? []) listener(win);
  }
}

/** The listeners for elements that are moved to another window. */
export const migrating = {
  onWindowMigrated(this: HTMLElement, listener: (win: Window) => void) {
    const receivedOf = migrations.get(this) ?? new Set();
    migrations.set(this, receivedOf.add(listener));
    return () => receivedOf.delete(listener);
  },
};
