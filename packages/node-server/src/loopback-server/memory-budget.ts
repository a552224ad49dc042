import type { ListenLimits } from "./listen-limits.ts";

/** A client on whose behalf memory is held. */
export interface MemoryHolder {
  /** The current number of bytes, at most. */
  readonly heldBytes: number;
  /** Closes it with the reason, and frees its memory as soon as possible. */
  evict(reason: string): void;
}

const MIB = 1 << 20;
/** A client below this is not closed because of others. */
const HARMLESS_BYTES: number = MIB;

/**
 * Limits the memory that a listener holds for each client, and for all together: a client above the limit is
 * closed.
 */
export class MemoryBudget {
  readonly #limits: Pick<ListenLimits, "maxClientBytes" | "maxTotalBytes">;
  /** The bytes of each holder when it was last checked. */
  readonly #counted = new Map<MemoryHolder, number>();
  /** A closing client counts until its memory is freed. */
  readonly #evicted = new WeakSet<MemoryHolder>();
  #total = 0;

  constructor(limits: Pick<ListenLimits, "maxClientBytes" | "maxTotalBytes">) {
    this.#limits = limits;
  }

  add(holder: MemoryHolder): void {
    this.#counted.set(holder, 0);
  }

  delete(holder: MemoryHolder): void {
    this.#total -= this.#counted.get(holder) ?? 0;
    this.#counted.delete(holder);
  }

  /** To be called when a holder may hold more than before. */
  update(holder: MemoryHolder): void {
    if (!this.#count(holder)) return;
    const { maxClientBytes, maxTotalBytes } = this.#limits;
    if ((this.#counted.get(holder) ?? 0) > maxClientBytes) {
      this.#evict(holder, `More than ${maxClientBytes / MIB} MiB are held for this client`);
    }
    if (this.#total > maxTotalBytes) this.#relieve();
  }

  /** Returns whether anything has changed. */
  #count(holder: MemoryHolder): boolean {
    const before = this.#counted.get(holder);
    const { heldBytes } = holder;
    if (before === undefined || heldBytes === before) return false;
    this.#counted.set(holder, heldBytes);
    this.#total += heldBytes - before;
    return true;
  }

  #relieve(): void {
    // Output that was sent or read in the meantime is not known yet.
    for (const holder of this.#counted.keys()) this.#count(holder);
    const { maxTotalBytes } = this.#limits;
    const reason = `More than ${maxTotalBytes / MIB} MiB are held for all clients, most of it for this one`;
    while (this.#total > maxTotalBytes) {
      const largest = this.#largest();
      if (largest === undefined) return;
      this.#evict(largest, reason);
    }
  }

  #largest(): MemoryHolder | undefined {
    let largest: MemoryHolder | undefined;
    let most = HARMLESS_BYTES;
    for (const [holder, bytes] of this.#counted) {
      if (bytes < most || this.#evicted.has(holder)) continue;
      largest = holder;
      most = bytes;
    }
    return largest;
  }

  #evict(holder: MemoryHolder, reason: string): void {
    if (this.#evicted.has(holder)) return;
    this.#evicted.add(holder);
    holder.evict(reason);
    this.#count(holder);
  }
}
