/** What a queue needs of what waits in it. */
interface QueueItem {
  readonly id: string;
}

/** Where the one that is shown stands among those that came together. */
export interface QueuePosition {
  /** From 1. */
  readonly index: number;
  readonly total: number;
}

/**
 * Which of the reviews that wait is shown: the person decides one after the other. Those that come
 * before all are decided count as one batch: "2 of 5" stays true when the first is done.
 */
export class ReviewQueue<Item extends QueueItem> {
  readonly #waiting: () => readonly Item[];
  #batch: string[] = [];
  #currentId: string | undefined;

  /** @param waiting the editor's list, oldest first; the queue is told when it changes */
  constructor(waiting: () => readonly Item[]) {
    this.#waiting = waiting;
  }

  get waiting(): readonly Item[] {
    return this.#waiting();
  }

  /** The one to show; undefined when nothing waits. */
  get current(): Item | undefined {
    return this.#currentId === undefined ? undefined : this.get(this.#currentId);
  }

  get(id: string): Item | undefined {
    return this.waiting.find((item) => item.id === id);
  }

  /** One more waits. */
  opened({ id }: Item): void {
    if (this.waiting.length <= 1) this.#batch = [];
    this.#batch.push(id);
    this.#currentId ??= id;
  }

  /** One waits no more; the next one is shown when it was. */
  closed({ id }: Item): void {
    if (this.#currentId === id) this.#currentId = this.#neighbour(id, 1);
  }

  /** Shows the next one that waits, or the one before; round and round. */
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
