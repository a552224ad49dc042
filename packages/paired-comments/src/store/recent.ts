interface Weighed<T> {
  readonly value: T;
  readonly weight: number;
}

/** What was added last, as many and as much of it as is wanted; the very last, whatever its weight. */
export class Recent<T> {
  readonly #most: number;
  readonly #heaviest: number;
  readonly #items = new Map<string, Weighed<T>>();
  #weight = 0;

  constructor(most: number, heaviest: number) {
    this.#most = most;
    this.#heaviest = heaviest;
  }

  get(key: string): T | undefined {
    return this.#items.get(key)?.value;
  }

  set(key: string, value: T, weight: number): void {
    this.#delete(key);
    this.#items.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#items.keys()) {
      if (oldest === key) return;
      if (this.#items.size <= this.#most && this.#weight <= this.#heaviest) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#weight -= this.#items.get(key)?.weight ?? 0;
    this.#items.delete(key);
  }
}
