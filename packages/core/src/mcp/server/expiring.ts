/** Expired values are removed each time this many have been added. */
const SWEEP_AFTER = 64;

interface Kept<T> {
  readonly value: T;
  readonly untilMs: number;
}

/** Values that expire; they are checked when they are read, so that no timer is needed. */
export class Expiring<T> {
  readonly now: () => number;
  readonly #kept = new Map<string, Kept<T>>();
  #added = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  get(id: string): T | undefined {
    const kept = this.#kept.get(id);
    return kept !== undefined && kept.untilMs > this.now() ? kept.value : undefined;
  }

  /** The number of values, of which some may have expired. */
  get size(): number {
    return this.#kept.size;
  }

  /** The values that have not expired. */
  entries(): readonly (readonly [id: string, value: T])[] {
    this.#sweep();
    return [...this.#kept].map(([id, { value }]) => [id, value]);
  }

  set(id: string, value: T, ttlMs: number = Number.POSITIVE_INFINITY): void {
    this.#kept.set(id, { value, untilMs: this.now() + ttlMs });
    this.#added += 1;
    if (this.#added % SWEEP_AFTER === 0) this.#sweep();
  }

  delete(id: string): boolean {
    const isKept = this.get(id) !== undefined;
    this.#kept.delete(id);
    return isKept;
  }

  #sweep(): void {
    const nowMs = this.now();
    for (const [old, { untilMs }] of this.#kept) if (untilMs <= nowMs) this.#kept.delete(old);
  }
}
