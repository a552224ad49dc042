import { createHash } from "node:crypto";
import { createToken } from "@idewire/core/internal";

/** How long a ticket waits for its page. */
export const TICKET_MS = 60_000;

/** 32 random bytes. */
const KEY = /^[\w-]{43}$/;

/** How many tickets, and how many keys, are valid at once; the oldest makes room for a new one. */
const MAX_ENTRIES = 64;

/**
 * Lets pages in. A ticket is for one page, once, and soon; the page has a key for it, with which it
 * may come back. It makes that itself, so that a reload before the first answer does no harm. Only
 * hashes are kept, and looked up: how long that takes says nothing of them.
 */
export class TicketStore {
  readonly #now: () => number;
  /** When each ticket ends, by its hash. */
  readonly #tickets = new Map<string, number>();
  readonly #used = new Set<string>();
  readonly #keys = new Set<string>();

  /** @param now milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A new ticket. */
  issue(): string {
    const ticket = createToken(32);
    this.#tickets.set(hash(ticket), this.#now() + TICKET_MS);
    trim(this.#tickets);
    return ticket;
  }

  /** Why a ticket opens nothing; undefined when it does. It is not used up by being asked about. */
  refusal(ticket: string): string | undefined {
    const name = hash(ticket);
    const endsMs = this.#tickets.get(name);
    if (endsMs !== undefined) {
      return this.#now() > endsMs ? "This link is older than 60 s" : undefined;
    }
    return `This link ${this.#used.has(name) ? "has been used already" : "is unknown"}`;
  }

  /**
   * Takes a ticket; gives a key for it, or says in words why not.
   * @param wanted the key that the page has made for itself, if it has
   */
  redeem(ticket: string, wanted?: string): { readonly key: string } | { readonly refused: string } {
    const refused = this.refusal(ticket);
    if (refused !== undefined) return { refused };
    const name = hash(ticket);
    this.#tickets.delete(name);
    this.#used.add(name);
    trim(this.#used);
    const isKey = wanted !== undefined && KEY.test(wanted);
    const key = isKey ? wanted : createToken(32);
    this.#keys.add(hash(key));
    trim(this.#keys);
    return { key };
  }

  knows(key: string): boolean {
    return this.#keys.has(hash(key));
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function trim(entries: Map<string, number> | Set<string>): void {
  const [oldest] = entries.keys();
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
}
