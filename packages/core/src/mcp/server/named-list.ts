import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";

/** The tools, resources or prompts of a server by their keys, in the order in which they were added. */
export class NamedList<T> {
  readonly #kind: string;
  readonly #keyOf: (item: T) => string;
  readonly #items = new Map<unknown, T>();

  /**
   * @param kind what an item is called in error messages, such as `tool`
   * @throws IdewireError `invalid-argument` when two items have the same key
   */
  constructor(kind: string, keyOf: (item: T) => string, items: readonly T[] = []) {
    this.#kind = kind;
    this.#keyOf = keyOf;
    for (const item of items) this.#insert(item);
  }

  get all(): readonly T[] {
    return [...this.#items.values()];
  }

  get(key: unknown): T | undefined {
    return this.#items.get(key);
  }

  /**
   * Adds an item; the undo removes it again.
   * @param onchange called after the addition and after the removal
   * @throws IdewireError `invalid-argument` when the key is in use
   */
  add(item: T, onchange: () => void): Unsubscribe {
    const key = this.#insert(item);
    onchange();
    return () => {
      if (this.#items.get(key) !== item) return;
      this.#items.delete(key);
      onchange();
    };
  }

  #insert(item: T): string {
    const key = this.#keyOf(item);
    if (this.#items.has(key)) {
      const text = `There is a ${this.#kind} ${JSON.stringify(key)} already`;
      throw new IdewireError("invalid-argument", text);
    }
    this.#items.set(key, item);
    return key;
  }
}
