import { Expiring } from "./expiring.ts";
import { MemoryEvents } from "./memory-events.ts";
import { MemorySessions } from "./memory-sessions.ts";
import type { LeaseStore, McpStore, MessageBus, RecordStore, ReplayStore } from "./store.ts";
import type { StoredTask } from "./tasks/task.ts";

export interface MemoryStoreOptions {
  /** The time in milliseconds since 1970; the system's by default. */
  readonly now?: () => number;
}

/** A store in memory, which ends with the process. */
export function memoryStore({ now = Date.now }: MemoryStoreOptions = {}): McpStore {
  const leases = new MemoryLeases(now);
  return {
    sessions: new MemorySessions(now, leases),
    events: new MemoryEvents(now),
    tasks: new MemoryRecords<StoredTask>(now),
    leases,
    bus: new MemoryBus(),
    replays: new MemoryReplays(now),
  };
}

class MemoryRecords<T> implements RecordStore<T> {
  readonly #values: Expiring<string>;

  constructor(now: () => number) {
    this.#values = new Expiring(now);
  }

  // As JSON, so that stored values cannot be changed, as in a remote store.

  async get(id: string): Promise<T | undefined> {
    const text = this.#values.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  async set(id: string, value: T, ttlMs?: number): Promise<void> {
    this.#values.set(id, JSON.stringify(value), ttlMs);
  }

  async replace(id: string, before: T, value: T, ttlMs?: number): Promise<boolean> {
    const isThere = this.#values.get(id) === JSON.stringify(before);
    if (isThere) await this.set(id, value, ttlMs);
    return isThere;
  }

  async delete(id: string): Promise<boolean> {
    return this.#values.delete(id);
  }
}

class MemoryLeases implements LeaseStore {
  readonly #leases: Expiring<true>;

  constructor(now: () => number) {
    this.#leases = new Expiring(now);
  }

  async renew(id: string, ttlMs: number): Promise<void> {
    this.#leases.set(id, true, ttlMs);
  }

  async isHeld(id: string): Promise<boolean> {
    return this.#leases.get(id) === true;
  }

  async end(id: string): Promise<void> {
    this.#leases.delete(id);
  }
}

class MemoryReplays implements ReplayStore {
  readonly #ids: Expiring<true>;

  constructor(now: () => number) {
    this.#ids = new Expiring(now);
  }

  async seen(id: string, ttlMs: number): Promise<boolean> {
    const isSeen = this.#ids.get(id) === true;
    if (!isSeen) this.#ids.set(id, true, ttlMs);
    return isSeen;
  }
}

class MemoryBus implements MessageBus {
  readonly #listeners = new Map<string, Set<(message: string) => void>>();

  async publish(topic: string, message: string): Promise<number> {
    const listeners = [...(this.#listeners.get(topic) ?? [])];
    for (const listener of listeners) listener(message);
    return listeners.length;
  }

  async subscribe(
    topic: string,
    listener: (message: string) => void,
  ): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return async () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(topic);
    };
  }
}
