import type { TraceEvent } from "../format/trace-event.ts";
import type { EventLog } from "../recording/event-log.ts";
import { firstFrom } from "./first-from.ts";

/** Rows in the order of their numbers; they grow at the end and sometimes change elsewhere. */
export interface NumberedRows {
  /** Oldest first; a view, valid until the next change. */
  readonly rows: readonly { readonly n: number }[];
  /** Changes when rows were added or removed elsewhere than at the end. */
  readonly revision: number;
}

/** The events of a log that a view shows, updated as the log grows. */
export class EventRows implements NumberedRows {
  readonly #log: EventLog;
  readonly #isShown: (event: TraceEvent) => boolean;
  #rows: TraceEvent[] = [];
  #seen = 0;
  #dropped = 0;

  constructor(log: EventLog, isShown: (event: TraceEvent) => boolean) {
    this.#log = log;
    this.#isShown = isShown;
  }

  get rows(): readonly TraceEvent[] {
    return this.#rows;
  }

  get revision(): number {
    return this.#dropped;
  }

  /** Adds the new events of the log. */
  update(): void {
    const { dropped, events, last } = this.#log;
    if (dropped !== this.#dropped) {
      this.#rows.splice(0, firstFrom(this.#rows, dropped + 1));
      this.#dropped = dropped;
    }
    for (let at = Math.max(0, this.#seen - dropped); at < events.length; at += 1) {
      const event = events[at] as TraceEvent;
      if (this.#isShown(event)) this.#rows.push(event);
    }
    this.#seen = last;
  }
}
