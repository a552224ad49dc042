import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";

export interface NamedListOptions<T> {
  /** What an item is called in error messages, such as `tool`. */
  readonly kind: string;
  readonly items: readonly T[] | undefined;
  readonly keyOf: (item: T) => string;
  /** Called after each later change. */
  readonly onchange: () => void;
}

/**
 * The tools, resources or prompts of a server by their keys, in the order in which they were added.
 */
export class NamedList<T> {
  readonly #options: NamedListOptions<T>;
  readonly #items = new Map<unknown, T>();

  /** @throws IdewireError `invalid-argument` when two items have the same key */
  constructor(options: NamedListOptions<T>) {
    this.#options = options;
    for (const item of options.items ?? []) this.#insert(item);
  }

  get all(): readonly T[] {
    return [...this.#items.values()];
  }

  get(key: unknown): T | undefined {
    return this.#items.get(key);
  }

  /**
   * Adds an item; the undo removes it again.
   * @throws IdewireError `invalid-argument` when the key is in use
   */
  add(item: T): Unsubscribe {
    const key = this.#insert(item);
    this.#options.onchange();
    return () => {
      if (this.#items.get(key) !== item) return;
      this.#items.delete(key);
      this.#options.onchange();
    };
  }

  #insert(item: T): string {
    const { kind, keyOf } = this.#options;
    const key = keyOf(item);
    if (this.#items.has(key)) {
      const text = `There is a ${kind} ${JSON.stringify(key)} already`;
      throw new IdewireError("invalid-argument", text);
    }
    this.#items.set(key, item);
    return key;
  }
}
