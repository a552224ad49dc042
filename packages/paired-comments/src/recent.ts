interface Weighed<T> {
  readonly value: T;
  readonly weight: number;
}

interface Limits {
  /** Maximum number of entries; unlimited by default. */
  readonly most?: number;
  /** Maximum total weight. */
  readonly heaviest: number;
}

/** A cache of the most recently added values, limited by number and weight; the last one always stays. */
export class Recent<T> {
  readonly #limits: Limits;
  readonly #items = new Map<string, Weighed<T>>();
  #weight = 0;

  constructor(limits: Limits) {
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
  }
}
