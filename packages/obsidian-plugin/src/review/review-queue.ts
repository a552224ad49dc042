/** An item of a queue. */
interface QueueItem {
  readonly id: string;
}

/** The position of a review within its batch. */
export interface QueuePosition {
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

/**
 * Chooses which pending review is shown. Reviews that arrive before all others are decided count as one
 * batch, so that "2 of 5" stays true after the first decision.
 */
export class ReviewQueue<Item extends QueueItem> {
  readonly #waiting: () => readonly Item[];
  #batch: string[] = [];
  #currentId: string | undefined;

  /** @param waiting lists the pending items, oldest first; call `opened` and `closed` on changes */
  constructor(waiting: () => readonly Item[]) {
    this.#waiting = waiting;
  }

  get waiting(): readonly Item[] {
    return this.#waiting();
  }

  /** The item to show; undefined if none is pending. */
  get current(): Item | undefined {
    return this.#currentId === undefined ? undefined : this.get(this.#currentId);
  }

  get(id: string): Item | undefined {
    return this.waiting.find((item) => item.id === id);
  }

  /** An item was added. */
  opened({ id }: Item): void {
    if (this.waiting.length <= 1) this.#batch = [];
    this.#batch.push(id);
    this.#currentId ??= id;
  }

  /** An item was removed; if it was shown, the next one is. */
  closed({ id }: Item): void {
    if (this.#currentId === id) this.#currentId = this.#neighbour(id, 1);
  }

  /** Shows the next or previous pending item, wrapping around. */
  move(step: 1 | -1): void {
    if (this.#currentId !== undefined) this.#currentId = this.#neighbour(this.#currentId, step);
  }

  positionOf(id: string): QueuePosition {
    return { index: this.#batch.indexOf(id) + 1, total: this.#batch.length };
  }

  #neighbour(id: string, step: 1 | -1): string | undefined {
    const at = this.#batch.indexOf(id);
    const others = [...this.#batch.slice(at + 1), ...this.#batch.slice(0, at)];
    if (step === -1) others.reverse();
    const waiting = new Set(this.waiting.map((item) => item.id));
    return [...others, id].find((each) => waiting.has(each));
  }
}
