import { Emitter, type Unsubscribe } from "@idewire/core";
import type { TraceEvent, TraceFact } from "../format/trace-event.ts";

/** How much a log keeps. */
export interface EventLogOptions {
  /** The time in milliseconds, from any beginning; `performance.now` when left out. */
  readonly now?: () => number;
  /** The oldest events beyond so many are dropped; 200,000 when left out. */
  readonly maxEvents?: number;
  /** And those beyond so many UTF-16 units of text; 128 million when left out. */
  readonly maxUnits?: number;
}

interface LogEvents {
  /** An event was appended. */
  append(event: TraceEvent): void;
  /** The oldest events were dropped, all before `first`. */
  drop(first: number): void;
}

/**
 * An append-only log of what happened, from the newest end of which all views are drawn. Events are
 * never changed but to let go of what a newer one has replaced; when there are too many the oldest go, an eighth at a time.
 */
export class EventLog {
  readonly #now: () => number;
  readonly #maxEvents: number;
  readonly #maxUnits: number;
  readonly #emitter = new Emitter<LogEvents>();
  readonly #began: number;
  #events: TraceEvent[] = [];
  #dropped = 0;
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

  /** What is kept, oldest first; a view, good until the next change. */
  get events(): readonly TraceEvent[] {
    return this.#events;
  }

  /** How many events were dropped; the first one kept is number `dropped + 1`. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The number of the newest event; 0 when there was none. */
  get last(): number {
    return this.#dropped + this.#events.length;
  }

  /** Milliseconds since the log began, now. */
  get nowMs(): number {
    return Math.max(0, this.#now() - this.#began);
  }

  /** The event with this number; undefined when it is not yet, or no more. */
  at(n: number): TraceEvent | undefined {
    return this.#events[n - this.#dropped - 1];
  }

  /** @param by the number of the event that brought this one about */
  append(fact: TraceFact, by?: number): TraceEvent {
    return this.#keep({
      n: this.last + 1,
      t: this.nowMs,
      ...(by !== undefined && { by }),
      ...fact,
    });
  }

  /**
   * Appends an event of another log; its time and cause are kept. The first one keeps its number as
   * well, so that a log which is told without a gap has the numbers of the other one.
   */
  adopt(event: TraceEvent): TraceEvent {
    if (this.last === 0 && event.n > 1) this.#dropped = event.n - 1;
    return this.#keep({ ...event, n: this.last + 1 });
  }

  /** Lets go of what makes an event heavy, once a newer one has taken its place. */
  lighten(n: number, fact: TraceFact): void {
    const event = this.at(n);
    if (event === undefined) return;
    const light = { n, t: event.t, ...(event.by !== undefined && { by: event.by }), ...fact };
    this.#units += unitsOf(light) - unitsOf(event);
    this.#events[n - this.#dropped - 1] = light;
  }

  on<E extends keyof LogEvents>(event: E, listener: LogEvents[E]): Unsubscribe {
    return this.#emitter.on(event, listener);
  }

  #keep(event: TraceEvent): TraceEvent {
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
      units += unitsOf(this.#events[count] as TraceEvent);
      count += 1;
    }
    this.#events = this.#events.slice(count);
    this.#units -= units;
    this.#dropped += count;
    this.#emitter.emit("drop", this.#dropped + 1);
  }
}

/** About what an event weighs, in UTF-16 units: only its long text counts. */
export function unitsOf(event: TraceEvent): number {
  if (event.ev === "frame") return event.raw.length;
  if ("text" in event) return event.text?.length ?? 0;
  if (event.ev !== "editor") return 0;
  const { change } = event;
  if (change.kind === "text") return change.text.length;
  return change.kind === "review-opened" ? change.original.length + change.proposed.length : 0;
}
