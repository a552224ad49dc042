import type { Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import type { HttpEvent, TraceEvent, TraceFact } from "../format/trace-event.ts";
import { isListed } from "../rows/is-listed.ts";

/** The limits of a log. */
export interface EventLogOptions {
  /** The time in milliseconds since any origin; `performance.now` when left out. */
  readonly now?: () => number;
  /** The oldest events beyond this number are dropped; 200,000 when left out. */
  readonly maxEvents?: number;
  /** The oldest events beyond this many UTF-16 units of text are dropped; 128 million when left out. */
  readonly maxUnits?: number;
}

interface LogEvents {
  /** An event was appended. */
  append(event: TraceEvent): void;
  /** The oldest events were dropped, all before `first`. */
  drop(first: number): void;
  /** An event was marked or unmarked. */
  mark(event: TraceEvent): void;
}

/**
 * An append-only log of events, from which all views are drawn. When there are too many, the oldest
 * eighth is dropped. Events never change, except that {@link EventLog.lighten} and
 * {@link EventLog.mark} may replace one.
 */
export class EventLog {
  readonly #now: () => number;
  readonly #maxEvents: number;
  readonly #maxUnits: number;
  readonly #emitter = new Emitter<LogEvents>();
  readonly #began: number;
  #events: TraceEvent[] = [];
  #dropped = 0;
  #droppedListed = 0;
  #units = 0;

  constructor({
    now = () => performance.now(),
    maxEvents = 200_000,
    maxUnits = 128_000_000,
  }: EventLogOptions = {}) {
    this.#now = now;
    this.#maxEvents = maxEvents;
    this.#maxUnits = maxUnits;
    this.#began = now();
  }

  /** The events in the log, oldest first; a view, valid until the next change. */
  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  /** How many events were dropped; the oldest in the log has the number `dropped + 1`. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many of those have a row in lists. */
  get droppedListed(): number {
    return this.#droppedListed;
  }

  /** The number of the newest event; 0 when there was none. */
  get last(): number {
    return this.#dropped + this.#events.length;
  }

  /** Milliseconds since the log began, now. */
  get nowMs(): number {
    return Math.max(0, this.#now() - this.#began);
  }

  /** The event with this number; undefined when it does not exist yet, or was dropped. */
  at(n: number): TraceEvent | undefined {
    return this.#events[n - this.#dropped - 1];
  }

  /** @param by the number of the event that caused this one */
  append(fact: TraceFact, by?: number): TraceEvent {
    return this.#add({
      n: this.last + 1,
      t: this.nowMs,
      ...(by !== undefined && { by }),
      ...fact,
    });
  }

  /**
   * Appends an event of another log with its time and cause. The first one has its number as well, so
   * that a log that adopts every event has the numbers of the other log.
   */
  adopt(event: TraceEvent): TraceEvent {
    if (this.last === 0 && event.n > 1) this.#dropped = event.n - 1;
    return this.#add({ ...event, n: this.last + 1 });
  }

  /** Replaces an event by a smaller one, once a newer event has superseded it. */
  lighten(n: number, fact: TraceFact): void {
    const event = this.at(n);
    if (event === undefined) return;
    const light = { n, t: event.t, ...(event.by !== undefined && { by: event.by }), ...fact };
    this.#units += unitsOf(light) - unitsOf(event);
    this.#events[n - this.#dropped - 1] = light;
  }

  /** Marks an event with a note, which may be empty; undefined unmarks it. */
  mark(n: number, note: string | undefined): void {
    const event = this.at(n);
    if (event === undefined) return;
    const { mark: _, ...rest } = event;
    const marked = note === undefined ? rest : { ...rest, mark: note };
    this.#events[n - this.#dropped - 1] = marked;
    this.#emitter.emit("mark", marked);
  }

  on<E extends keyof LogEvents>(event: E, listener: LogEvents[E]): Unsubscribe {
    return this.#emitter.on(event, listener);
  }

  #add(event: TraceEvent): TraceEvent {
    this.#events.push(event);
    this.#units += unitsOf(event);
    this.#emitter.emit("append", event);
    if (this.#events.length > this.#maxEvents || this.#units > this.#maxUnits) this.#dropOldest();
    return event;
  }

  #dropOldest(): void {
    let count = 0;
    let units = 0;
    const events = Math.ceil(this.#events.length / 8);
    const enough = this.#maxUnits * (7 / 8);
    while (count < this.#events.length - 1 && (count < events || this.#units - units > enough)) {
      const event = this.#events[count] as TraceEvent;
      units += unitsOf(event);
      if (isListed(event)) this.#droppedListed += 1;
      count += 1;
    }
    this.#events = this.#events.slice(count);
    this.#units -= units;
    this.#dropped += count;
    this.#emitter.emit("drop", this.#dropped + 1);
  }
}

/** The approximate size of an event in UTF-16 units: only its long texts count. */
export function unitsOf(event: TraceEvent): number {
  if (event.ev === "frame") return event.raw.length;
  if (event.ev === "http") return unitsOfHttp(event);
  if ("text" in event) return event.text?.length ?? 0;
  if ("reason" in event) return event.reason.length;
  if (event.ev !== "editor") return 0;
  const { change } = event;
  if (change.kind === "text") return change.text.length;
  if (change.kind !== "review-opened") return 0;
  const { original, proposed, base = "" } = change;
  return original.length + proposed.length + base.length;
}

function unitsOfHttp({ url = "", headers = [], text = "", id = "" }: HttpEvent): number {
  const ofHeaders = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return url.length + ofHeaders + text.length + id.length;
}
