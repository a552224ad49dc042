import type { EventRef } from "./events.ts";

export class Component {
  #loaded = false;
  readonly #children = new Set<Component>();
  readonly #undo: (() => unknown)[] = [];

  load(): void | Promise<void> {
    if (this.#loaded) return undefined;
    this.#loaded = true;
    const loading = this.onload();
    for (const child of this.#children) void child.load();
    return loading;
  }

  onload(): void | Promise<void> {}

  unload(): void {
    if (!this.#loaded) return;
    this.#loaded = false;
    for (const child of [...this.#children].reverse()) this.removeChild(child);
    for (const undo of this.#undo.splice(0).reverse()) {
      try {
        undo();
      } catch (error) {
        reportError(error);
      }
    }
    // Obsidian does not await it, and only logs errors.
    try {
      this.onunload();
    } catch (error) {
      reportError(error);
    }
  }

  onunload(): void {}

  addChild<T extends Component>(component: T): T {
    this.#children.add(component);
    if (this.#loaded) void component.load();
    return component;
  }

  removeChild<T extends Component>(component: T): T {
    this.#children.delete(component);
    component.unload();
    return component;
  }

  register(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  registerEvent(ref: EventRef): void {
    this.register(() => ref.source.offref(ref));
  }

  registerDomEvent(
    target: EventTarget,
    type: string,
    callback: (event: never) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void {
    target.addEventListener(type, callback as EventListener, options);
    this.register(() => target.removeEventListener(type, callback as EventListener, options));
  }
}
