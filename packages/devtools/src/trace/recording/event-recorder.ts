import type { TraceEvent } from "../format/trace-event.ts";
import type { Redactor } from "../redaction/redact.ts";
import { cutEvent } from "./cut-event.ts";
import { unitsOf } from "./event-log.ts";

/** How a recorder redacts events, where it puts them, and when it works. */
export interface EventRecorderOptions {
  readonly redactor: Pick<Redactor, "redactInSteps">;
  readonly take: (event: TraceEvent) => void;
  /** Calls back in a later turn of the event loop, as `setImmediate` does. */
  readonly defer: (work: () => void) => void;
}

interface QueuedEvent {
  readonly event: TraceEvent;
  readonly units: number;
  /** Undefined when it is not redacted. */
  readonly steps: Generator<void, TraceEvent> | undefined;
}

/** Shorter events are redacted in the turn in which they arrive; UTF-16 units. */
const AT_ONCE_UNITS = 1 << 14;
/** The queue holds at most this many UTF-16 units; events beyond are counted and dropped. */
const MAX_QUEUED_UNITS = 1 << 24;

/**
 * Redacts events and passes them on in order. The recorded connection is never closed or slowed: long
 * events are redacted in slices, the queue is bounded, and an event that cannot be recorded is replaced
 * by a note.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #queue: QueuedEvent[] = [];
  readonly #idle: (() => void)[] = [];
  #units = 0;
  #lost = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** @param isOwn the event comes from the person and is not redacted */
  add(given: TraceEvent, isOwn = false): void {
    const event = isOwn ? given : cutEvent(given);
    const units = unitsOf(event);
    const steps = isOwn ? undefined : this.#options.redactor.redactInSteps(event);
    if (this.#queue.length > 0 && this.#units + units > MAX_QUEUED_UNITS) {
      this.#lost += 1;
      return;
    }
    this.#units += units;
    const isFirst = this.#queue.push({ event, units, steps }) === 1;
    if (!isFirst) return;
    if (units <= AT_ONCE_UNITS) this.finish();
    else this.#options.defer(this.#work);
  }

  /** Settles when every event added so far has been passed on. */
  async flush(): Promise<void> {
    if (this.#queue.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Passes on all queued events immediately. */
  finish(): void {
    while (this.#queue.length > 0) this.#step();
  }

  /** Works on one slice, then yields to other work. */
  readonly #work = (): void => {
    this.#step();
    if (this.#queue.length > 0) this.#options.defer(this.#work);
  };

  #step(): void {
    const [next] = this.#queue;
    if (next === undefined) return;
    try {
      const step = next.steps?.next() ?? { done: true, value: next.event };
      if (step.done !== true) return;
      this.#leave(next, step.value);
    } catch (error) {
      const why = error instanceof Error ? error.name : typeof error;
      this.#leave(next, noteOf(next.event, `An event could not be recorded: ${why}.`));
    }
  }

  #leave({ event, units }: QueuedEvent, recorded: TraceEvent): void {
    this.#queue.shift();
    this.#units -= units;
    this.#take(recorded);
    if (this.#queue.length > 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) {
      this.#take(noteOf(event, `${lost} events were not recorded: they arrived too fast.`));
    }
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #take(event: TraceEvent): void {
    try {
      this.#options.take(event);
    } catch {
      // It cannot be reported anywhere: the recorded connection must not be affected.
    }
  }
}

function noteOf({ n, t }: TraceEvent, text: string): TraceEvent {
  return { n, t, ev: "transcript", text, who: "idewire" };
}
