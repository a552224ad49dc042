import type { ListenLimits } from "./listen-limits.ts";

/** A client on whose behalf memory is held. */
export interface MemoryHolder {
  /** How many bytes that is now, at most. */
  readonly heldBytes: number;
  /** Closes it with the reason, and frees what it holds as soon as possible. */
  evict(reason: string): void;
}

const MIB = 1 << 20;
/** A client that holds less is not closed for what others hold. */
const HARMLESS_BYTES: number = MIB;

/** What the clients of one listener make it hold, each and all together: one that holds too much is closed. */
export class MemoryBudget {
  readonly #limits: Pick<ListenLimits, "maxClientBytes" | "maxTotalBytes">;
  /** What each held when it was looked at last. */
  readonly #counted = new Map<MemoryHolder, number>();
  /** A client that is being closed counts until its memory is free. */
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

  /** Says whether anything is different. */
  #count(holder: MemoryHolder): boolean {
    const before = this.#counted.get(holder);
    const { heldBytes } = holder;
    if (before === undefined || heldBytes === before) return false;
    this.#counted.set(holder, heldBytes);
    this.#total += heldBytes - before;
    return true;
  }

  #relieve(): void {
    // What was answered or read meanwhile is not known yet.
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
