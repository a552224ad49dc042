import { Expiring } from "./expiring.ts";
import { MemorySessions } from "./memory-sessions.ts";
import type {
  EventStore,
  FollowedStream,
  LeaseStore,
  McpStore,
  MessageBus,
  NewEvent,
  RecordStore,
  ReplayStore,
  StoredEvent,
  StreamInfo,
  StreamListener,
} from "./store.ts";
import type { StoredTask } from "./tasks/task.ts";

/** How many events of a stream are kept, and how many UTF-16 units of them: always the newest one. */
const MAX_EVENTS = 256;
const MAX_EVENT_SIZE = 1_048_576;

export interface MemoryStoreOptions {
  /** The time in milliseconds since 1970; that of the system by default. */
  readonly now?: () => number;
}

/** A store within one process: what it keeps ends with the process. */
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

  // As JSON, so that nobody changes what is stored, as with a store elsewhere.

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

interface Stream {
  readonly info: StreamInfo;
  readonly listeners: Set<StreamListener>;
  events: readonly StoredEvent[];
  last: number;
  isOver: boolean;
}

class MemoryEvents implements EventStore {
  readonly #streams: Expiring<Stream>;

  constructor(now: () => number) {
    this.#streams = new Expiring(now);
  }

  async open(stream: string, info: StreamInfo, ttlMs: number): Promise<void> {
    const begun = { info, listeners: new Set<never>(), events: [], last: 0, isOver: false };
    this.#streams.set(stream, this.#streams.get(stream) ?? begun, ttlMs);
  }

  async append(
    stream: string,
    { frame, ends = false }: NewEvent,
    ttlMs: number,
  ): Promise<number | undefined> {
    const found = this.#streams.get(stream);
    if (found === undefined || found.isOver) return undefined;
    found.last += 1;
    found.isOver = ends;
    const event = { number: found.last, frame, ends };
    found.events = newest([...found.events, event]);
    this.#streams.set(stream, found, ttlMs);
    for (const listener of found.listeners) listener.onevent(event);
    return event.number;
  }

  async follow(
    stream: string,
    after: number,
    listener: StreamListener,
  ): Promise<FollowedStream | undefined> {
    const found = this.#streams.get(stream);
    if (found === undefined || after > found.last) return undefined;
    if (after < found.last - found.events.length) return undefined;
    const { info, events, listeners } = found;
    for (const event of events) if (event.number > after) listener.onevent(event);
    listeners.add(listener);
    return { info, stop: () => void listeners.delete(listener) };
  }

  async delete(stream: string): Promise<void> {
    const found = this.#streams.get(stream);
    this.#streams.delete(stream);
    for (const listener of found?.listeners ?? []) listener.onlost();
  }
}

/** The events that are kept. */
function newest(events: readonly StoredEvent[]): readonly StoredEvent[] {
  let first = Math.max(0, events.length - MAX_EVENTS);
  let size = events.reduce((total, { frame }) => total + frame.length, 0);
  while (size > MAX_EVENT_SIZE && first < events.length - 1) {
    size -= events[first++]?.frame.length ?? 0;
  }
  return events.slice(first);
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
