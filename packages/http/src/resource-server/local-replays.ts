import type { ReplayStore } from "@idewire/core/internal";

/** More than the number of proofs that a personal server receives in a minute. */
const MAX_KEPT = 100_000;

/** The keys that this process has seen; all are kept for the same time. */
export class LocalReplays implements ReplayStore {
  /** When each expires, oldest first. */
  readonly #seen = new Map<string, number>();

  async seen(id: string, ttlMs: number): Promise<boolean> {
    const now = Date.now();
    for (const [old, endMs] of this.#seen) {
      if (endMs > now && this.#seen.size < MAX_KEPT) break;
      this.#seen.delete(old);
    }
    if (this.#seen.has(id)) return true;
    this.#seen.set(id, now + ttlMs);
    return false;
  }
}
