import { Expiring } from "./expiring.ts";
import type {
  EventStore,
  FollowedStream,
  NewEvent,
  StoredEvent,
  StreamInfo,
  StreamListener,
} from "./store.ts";

/** How many events of a stream are kept: always the newest one. */
const MAX_EVENTS = 256;
/** How many UTF-16 units of events are kept of a stream, and of all streams of a session together. */
const MAX_SIZE = 1_048_576;
/** Counted for each event beside its text. */
const EVENT_SIZE = 100;

interface Stream {
  readonly info: StreamInfo;
  readonly listeners: Set<StreamListener>;
  readonly events: StoredEvent[];
  size: number;
  last: number;
  isOver: boolean;
}

/** What the streams of a session take, by name, the oldest first. */
interface Taken {
  readonly sizes: Map<string, number>;
  total: number;
}

/** The events of streams within one process. */
export class MemoryEvents implements EventStore {
  readonly #streams: Expiring<Stream>;
  readonly #sessions: Expiring<Taken>;

  constructor(now: () => number) {
    this.#streams = new Expiring(now);
    this.#sessions = new Expiring(now);
  }

  async open(stream: string, info: StreamInfo, ttlMs: number): Promise<void> {
    const begun = { info, listeners: new Set<never>(), events: [], size: 0, last: 0 };
    this.#streams.set(stream, this.#streams.get(stream) ?? { ...begun, isOver: false }, ttlMs);
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
    keep(found, event);
    this.#bound(stream, found, ttlMs);
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

  /** Forgets the events of a session's oldest streams when all take too much. */
  #bound(stream: string, { size }: Stream, ttlMs: number): void {
    const session = stream.slice(0, stream.lastIndexOf(":"));
    const taken = this.#sessions.get(session) ?? { sizes: new Map<string, number>(), total: 0 };
    taken.total += size - (taken.sizes.get(stream) ?? 0);
    taken.sizes.set(stream, size);
    this.#sessions.set(session, taken, ttlMs);
    for (const [other, otherSize] of taken.sizes) {
      if (taken.total <= MAX_SIZE) break;
      if (other === stream) continue;
      taken.total -= otherSize;
      taken.sizes.delete(other);
      this.#empty(other);
    }
  }

  #empty(stream: string): void {
    const found = this.#streams.get(stream);
    if (found === undefined) return;
    if (found.isOver) this.#streams.delete(stream);
    found.events.length = 0;
    found.size = 0;
  }
}

/** Keeps an event, and no more before it than may be. */
function keep(stream: Stream, event: StoredEvent): void {
  const { events } = stream;
  events.push(event);
  stream.size += sizeOf(event);
  while (events.length > MAX_EVENTS || (stream.size > MAX_SIZE && events.length > 1)) {
    const [oldest] = events.splice(0, 1);
    if (oldest !== undefined) stream.size -= sizeOf(oldest);
  }
}

function sizeOf({ frame }: StoredEvent): number {
  return frame.length + EVENT_SIZE;
}
