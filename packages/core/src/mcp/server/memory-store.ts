import type {
  EventStore,
  McpStore,
  MessageBus,
  RecordStore,
  StoredEvent,
  StoredSession,
  TaskStore,
} from "./store.ts";
import type { StoredTask } from "./tasks/task.ts";

/** How many frames of a stream are kept. */
const MAX_EVENTS = 256;
/** Expired values are looked for each time that as many have been added. */
const SWEEP_AFTER = 64;

export interface MemoryStoreOptions {
  /** The time in milliseconds since 1970; that of the system by default. */
  readonly now?: () => number;
}

/** A store within one process: what it keeps ends with the process. */
export function memoryStore({ now = Date.now }: MemoryStoreOptions = {}): McpStore {
  return {
    sessions: new MemoryRecords<StoredSession>(now),
    events: new MemoryEvents(now),
    tasks: new MemoryTasks(now),
    bus: new MemoryBus(),
  };
}

interface Kept<T> {
  readonly value: T;
  readonly untilMs: number;
}

/** Values that expire; they are looked at when they are asked for, so that no timer is needed. */
class Expiring<T> {
  readonly #kept = new Map<string, Kept<T>>();
  readonly #now: () => number;
  #added = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(id: string): T | undefined {
    const kept = this.#kept.get(id);
    return kept !== undefined && kept.untilMs > this.#now() ? kept.value : undefined;
  }

  set(id: string, value: T, ttlMs = Number.POSITIVE_INFINITY): void {
    const nowMs = this.#now();
    this.#kept.set(id, { value, untilMs: nowMs + ttlMs });
    this.#added += 1;
    if (this.#added % SWEEP_AFTER !== 0) return;
    for (const [old, { untilMs }] of this.#kept) if (untilMs <= nowMs) this.#kept.delete(old);
  }

  delete(id: string): boolean {
    const isKept = this.get(id) !== undefined;
    this.#kept.delete(id);
    return isKept;
  }
}

class MemoryRecords<T> implements RecordStore<T> {
  readonly #values: Expiring<string>;

  constructor(now: () => number) {
    this.#values = new Expiring(now);
  }

  // As JSON, so that nobody changes what is stored, as with a store elsewhere.

  async get(id: string): Promise<T | undefined> {
    const text = this.#values.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  async set(id: string, value: T, ttlMs?: number): Promise<void> {
    this.#values.set(id, JSON.stringify(value), ttlMs);
  }

  async delete(id: string): Promise<boolean> {
    return this.#values.delete(id);
  }
}

class MemoryTasks implements TaskStore {
  readonly #records: RecordStore<StoredTask>;
  readonly #leases: Expiring<true>;

  constructor(now: () => number) {
    this.#records = new MemoryRecords(now);
    this.#leases = new Expiring(now);
  }

  get(id: string): Promise<StoredTask | undefined> {
    return this.#records.get(id);
  }

  set(id: string, task: StoredTask, ttlMs?: number): Promise<void> {
    return this.#records.set(id, task, ttlMs);
  }

  delete(id: string): Promise<boolean> {
    return this.#records.delete(id);
  }

  async lease(id: string, ttlMs: number): Promise<void> {
    this.#leases.set(id, true, ttlMs);
  }

  async isLeased(id: string): Promise<boolean> {
    return this.#leases.get(id) === true;
  }
}

interface Stream {
  readonly last: number;
  readonly events: readonly StoredEvent[];
}

class MemoryEvents implements EventStore {
  readonly #streams: Expiring<Stream>;

  constructor(now: () => number) {
    this.#streams = new Expiring(now);
  }

  async append(stream: string, frame: string, ttlMs: number): Promise<number> {
    const { last, events } = this.#streams.get(stream) ?? { last: 0, events: [] };
    const number = last + 1;
    const kept = [...events.slice(1 - MAX_EVENTS), { number, frame }];
    this.#streams.set(stream, { last: number, events: kept }, ttlMs);
    return number;
  }

  async after(stream: string, number: number): Promise<readonly StoredEvent[] | undefined> {
    const found = this.#streams.get(stream);
    const oldest = found?.events[0]?.number ?? Number.POSITIVE_INFINITY;
    if (found === undefined || number + 1 < oldest || number > found.last) return undefined;
    return found.events.filter((event) => event.number > number);
  }

  async delete(stream: string): Promise<void> {
    this.#streams.delete(stream);
  }
}

class MemoryBus implements MessageBus {
  readonly #listeners = new Map<string, Set<(message: string) => void>>();

  async publish(topic: string, message: string): Promise<void> {
    for (const listener of this.#listeners.get(topic) ?? []) listener(message);
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
