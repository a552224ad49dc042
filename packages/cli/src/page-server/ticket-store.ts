import { createHash } from "node:crypto";
import { createToken } from "@idewire/core/internal";
import { evictOldest } from "@idewire/core/internal/base";

/** How long a ticket is valid. */
export const TICKET_MS = 60_000;

/** How long after its last use a key is valid in a later process. */
const KEY_MS = 7 * 24 * 60 * 60_000;

/** 32 random bytes. */
const KEY = /^[\w-]{43}$/;

/** The most tickets, and the most keys, valid at once; a new one evicts the oldest. */
const MAX_ENTRIES = 64;

/** Valid keys: the hash of each, and when it was last used, in milliseconds since 1970. */
export type PageKeys = readonly (readonly [hash: string, usedMs: number])[];

/** The keys of two processes, the last used last; as many as are valid at once. */
export function mergeKeys(one: PageKeys, other: PageKeys): PageKeys {
  const usedMs = new Map(one);
  for (const [key, ms] of other) usedMs.set(key, Math.max(ms, usedMs.get(key) ?? 0));
  return [...usedMs].sort(([, before], [, after]) => before - after).slice(-MAX_ENTRIES);
}

/**
 * Authenticates pages. A ticket admits one page, once, for a short time; then the page reconnects with its key.
 * The page creates the key itself, so that a reload before the first answer is harmless. Only hashes are stored
 * and looked up, so that timing reveals nothing about them.
 */
export class TicketStore {
  /** Called when the valid keys have changed. */
  onkeys: ((keys: PageKeys) => void) | undefined;
  readonly #now: () => number;
  /** When each ticket expires, by its hash. */
  readonly #tickets = new Map<string, number>();
  readonly #used = new Set<string>();
  /** When each key was last used, by its hash. */
  readonly #keys: Map<string, number>;

  /**
   * @param now milliseconds
   * @param keys those of an earlier process
   */
  constructor(now: () => number = Date.now, keys: PageKeys = []) {
    this.#now = now;
    this.#keys = new Map(keys.filter(([, usedMs]) => Math.abs(now() - usedMs) <= KEY_MS));
  }

  /** Creates a ticket. */
  issue(): string {
    const ticket = createToken(32);
    this.#tickets.set(hash(ticket), this.#now() + TICKET_MS);
    evictOldest(this.#tickets, MAX_ENTRIES);
    return ticket;
  }

  /** Why a ticket is refused; undefined for a valid one. Does not use it up. */
  refusal(ticket: string): string | undefined {
    const name = hash(ticket);
    const endsMs = this.#tickets.get(name);
    if (endsMs !== undefined) {
      return this.#now() > endsMs ? "This link is older than 60 s" : undefined;
    }
    return `This link ${this.#used.has(name) ? "has been used already" : "is unknown"}`;
  }

  /**
   * Exchanges a ticket for a key; returns the reason if it is refused.
   * @param wanted the key that the page created, if any
   */
  redeem(ticket: string, wanted?: string): { readonly key: string } | { readonly refused: string } {
    const refused = this.refusal(ticket);
    if (refused !== undefined) return { refused };
    const name = hash(ticket);
    this.#tickets.delete(name);
    this.#used.add(name);
    evictOldest(this.#used, MAX_ENTRIES);
    const isKey = wanted !== undefined && KEY.test(wanted);
    const key = isKey ? wanted : createToken(32);
    this.use(key);
    return { key };
  }

  /** Makes a key valid from now on. */
  use(key: string): void {
    const name = hash(key);
    this.#keys.delete(name);
    this.#keys.set(name, this.#now());
    evictOldest(this.#keys, MAX_ENTRIES);
    this.onkeys?.([...this.#keys]);
  }

  knows(key: string): boolean {
    return this.#keys.has(hash(key));
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
