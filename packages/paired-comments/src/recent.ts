interface Weighed<T> {
  readonly value: T;
  readonly weight: number;
}

interface Limits<T> {
  /** How many; any number when left out. */
  readonly most?: number;
  /** How much in all. */
  readonly heaviest: number;
  /** Told of what is not kept any longer. */
  readonly ondrop?: (value: T) => void;
}

/** What was added last, as many and as much of it as is wanted; the very last, whatever its weight. */
export class Recent<T> {
  readonly #limits: Limits<T>;
  readonly #items = new Map<string, Weighed<T>>();
  #weight = 0;

  constructor(limits: Limits<T>) {
    this.#limits = limits;
  }

  get(key: string): T | undefined {
    return this.#items.get(key)?.value;
  }

  set(key: string, value: T, weight: number): void {
    const { most = Number.POSITIVE_INFINITY, heaviest } = this.#limits;
    this.delete(key);
    this.#items.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#items.keys()) {
      if (oldest === key) return;
      if (this.#items.size <= most && this.#weight <= heaviest) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    this.#items.delete(key);
    this.#weight -= item.weight;
    this.#limits.ondrop?.(item.value);
  }
}
