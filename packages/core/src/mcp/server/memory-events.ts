import { Expiring } from "./expiring.ts";
import { type Share, Shares } from "./shares.ts";
import type {
  EventStore,
  FollowedStream,
  NewEvent,
  StoredEvent,
  StreamInfo,
  StreamListener,
} from "./store.ts";

/** How many events of a stream are kept; the newest one is always kept. */
const MAX_EVENTS = 256;
/** How many UTF-16 units of events are kept for a stream, and for all streams of a session together. */
const MAX_SIZE = 1_048_576;
/** How many units are kept for all streams, in equal shares among principals. */
const MAX_TOTAL = 1 << 26;
/** Expired streams are removed each time this many have begun. */
const SWEEP_AFTER = 64;
/** The overhead counted for each event in addition to its text. */
const EVENT_SIZE = 100;
/** The overhead counted for each stream with events. */
const STREAM_SIZE = 2_000;

interface Stream {
  readonly info: StreamInfo;
  readonly listeners: Set<StreamListener>;
  readonly events: StoredEvent[];
  size: number;
  last: number;
  isOver: boolean;
}

/** The sizes of a session's streams, by name, the oldest first. */
interface Taken {
  readonly sizes: Map<string, number>;
  total: number;
}

/** The events of streams within one process. */
export class MemoryEvents implements EventStore {
  readonly #streams: Expiring<Stream>;
  readonly #sessions: Expiring<Taken>;
  readonly #shares: Shares = new Shares(MAX_TOTAL);
  /** The share of each stream in the total. */
  readonly #held = new Map<string, Share>();
  #begun = 0;

  constructor(now: () => number) {
    this.#streams = new Expiring(now);
    this.#sessions = new Expiring(now);
  }

  async open(stream: string, info: StreamInfo, ttlMs: number): Promise<void> {
    const begun = { info, listeners: new Set<never>(), events: [], size: 0, last: 0 };
    const known = this.#streams.get(stream);
    if (known === undefined) this.#hold(stream, info);
    this.#streams.set(stream, known ?? { ...begun, isOver: false }, ttlMs);
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
    this.#share(stream, found);
    this.#streams.set(stream, found, ttlMs);
    for (const listener of found.listeners) listener.onevent(event);
    return event.number;
  }

  async follow(
    stream: string,
    after: number | undefined,
    listener: StreamListener,
  ): Promise<FollowedStream | undefined> {
    const found = this.#streams.get(stream);
    if (found === undefined) return undefined;
    const { info, events, listeners, last } = found;
    const lost = last - events.length;
    const from = after ?? lost;
    if (from > last || from < lost) return undefined;
    for (const event of events) if (event.number > from) listener.onevent(event);
    listeners.add(listener);
    return { info, after: from, stop: () => void listeners.delete(listener) };
  }

  async delete(stream: string): Promise<void> {
    const found = this.#streams.get(stream);
    this.#streams.delete(stream);
    this.#release(stream);
    for (const listener of found?.listeners ?? []) listener.onlost();
  }

  /** Removes the events of a session's oldest streams when all together exceed the limit. */
  #bound(stream: string, found: Stream, ttlMs: number): void {
    const size = found.size + STREAM_SIZE;
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

  #hold(stream: string, { principal }: StreamInfo): void {
    this.#begun += 1;
    if (this.#begun % SWEEP_AFTER === 0) {
      for (const old of this.#held.keys()) {
        if (this.#streams.get(old) === undefined) this.#release(old);
      }
    }
    this.#release(stream);
    const share = this.#shares.take(principal, { evict: () => this.#empty(stream) }, 0);
    if (share !== undefined) this.#held.set(stream, share);
  }

  /** Removes the events of the oldest streams of a principal above its share. */
  #share(stream: string, { size }: Stream): void {
    const share = this.#held.get(stream);
    if (share === undefined) return;
    // A stream does not replace its own events.
    share.isBusy = true;
    const isKept = share.resize(size + STREAM_SIZE);
    share.isBusy = false;
    if (!isKept) this.#empty(stream);
  }

  #release(stream: string): void {
    this.#held.get(stream)?.release();
    this.#held.delete(stream);
  }

  #empty(stream: string): void {
    const found = this.#streams.get(stream);
    if (found === undefined) return;
    if (found.isOver) this.#streams.delete(stream);
    found.events.length = 0;
    found.size = 0;
    this.#release(stream);
    if (!found.isOver) this.#hold(stream, found.info);
  }
}

/** Stores an event, and removes earlier ones beyond the limits. */
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
