/** What a queue needs of what waits in it. */
interface Waiting {
  readonly id: string;
}

/** Where the one that is shown stands among those that came together. */
export interface QueuePosition {
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

/**
 * Reviews wait for the person, who decides one after the other. Those that come before all are
 * decided count as one batch: "2 of 5" stays true when the first is done.
 */
export class ReviewQueue<Item extends Waiting> {
  #batch: string[] = [];
  readonly #waiting = new Map<string, Item>();
  #currentId: string | undefined;

  get waiting(): readonly Item[] {
    return [...this.#waiting.values()];
  }

  /** The one to show; undefined when nothing waits. */
  get current(): Item | undefined {
    return this.#currentId === undefined ? undefined : this.#waiting.get(this.#currentId);
  }

  get(id: string): Item | undefined {
    return this.#waiting.get(id);
  }

  add(item: Item): void {
    if (this.#waiting.size === 0) this.#batch = [];
    this.#batch.push(item.id);
    this.#waiting.set(item.id, item);
    this.#currentId ??= item.id;
  }

  /** Takes one that was decided out; the next one is shown when it was. */
  remove(id: string): Item | undefined {
    const item = this.#waiting.get(id);
    if (item === undefined) return undefined;
    const next = this.#neighbour(id, 1);
    this.#waiting.delete(id);
    if (this.#currentId === id) this.#currentId = next === id ? undefined : next;
    return item;
  }

  show(id: string): void {
    if (this.#waiting.has(id)) this.#currentId = id;
  }

  /** Shows the next one that waits, or the one before; round and round. */
  move(step: 1 | -1): void {
    if (this.#currentId !== undefined) this.#currentId = this.#neighbour(this.#currentId, step);
  }

  positionOf(id: string): QueuePosition {
    return { index: this.#batch.indexOf(id) + 1, total: this.#batch.length };
  }

  #neighbour(id: string, step: 1 | -1): string | undefined {
    const ids = [...this.#waiting.keys()];
    return ids.at((ids.indexOf(id) + step) % ids.length);
  }
}
