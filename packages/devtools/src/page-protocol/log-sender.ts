import type { Peer } from "@idewire/core/rpc";
import type { TraceEvent } from "../trace/format/trace-event.ts";
import { type EventLog, unitsOf } from "../trace/recording/event-log.ts";
import { isListed } from "../trace/rows/is-listed.ts";
import type { InspectionFacts } from "./inspect-methods.ts";
import { deliverToPage, notifyPage } from "./server.ts";

/** The size of a batch; a page gets the next batch when it has processed the previous one. */
const MAX_EVENTS = 500;
const MAX_UNITS = 1 << 20;
/** Longer frames are cut, since the page must render them. */
const MAX_PAGE_UNITS = 1 << 22;
const BEGINNING_UNITS = 1 << 16;

/** State that a page gets in its current form, instead of the events that led to it. */
export interface SentState {
  /** The part of the current state that the page does not have. */
  now(): Promise<readonly TraceEvent[]>;
  /** Called with each event sent to the page. */
  emit(event: TraceEvent): void;
}

/** The log to send, and the page. */
export interface LogSenderOptions {
  readonly peer: Peer;
  readonly log: EventLog;
  /** Its newest facts are sent with each batch. */
  readonly inspection?: () => InspectionFacts;
  readonly state?: SentState;
}

/**
 * Sends a page the events of a log, past and future, as fast as the page processes them: one batch at a time,
 * with the events of the meantime in the next. If the log drops events before they are sent, a note has their
 * number, and the state is sent again.
 */
export class LogSender {
  readonly #options: LogSenderOptions;
  readonly #waiting: (() => void)[] = [];
  /** The newest event that the page has. */
  #sent = 0;
  /** The number of the event up to which the state was sent. */
  #stateEnd = 0;
  #isTorn = true;
  /** The number of events with a row before the first that the page gets. */
  #rowsBefore = 0;
  #wake: () => void = () => {};
  #isOver = false;

  constructor(options: LogSenderOptions) {
    this.#options = options;
  }

  /** Starts sending; ends with the peer. */
  async run(): Promise<void> {
    const { peer, log } = this.#options;
    const undo = log.on("append", () => this.#wake());
    void peer.closed.then(() => {
      this.#isOver = true;
      this.#wake();
      this.#letGo();
    });
    try {
      await this.#emitAnew();
      notifyPage(peer, "live/joined", { rowsBefore: this.#rowsBefore });
      while (!this.#isOver) {
        if (this.#sent === log.last && !this.#isTorn) await this.#more();
        // The events of a turn are sent together.
        await Promise.resolve();
        if (this.#isTorn) await this.#emitAnew();
        else await this.#send(this.#next(log.last));
      }
    } catch {
      // The page has disconnected.
    } finally {
      undo();
      this.#isOver = true;
      this.#letGo();
    }
  }

  /** Settles when the page has all events now in the log. */
  async flush(): Promise<void> {
    const { last } = this.#options.log;
    while ((this.#sent < last || this.#isTorn) && !this.#isOver) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** First the log, then the state. */
  async #emitAnew(): Promise<void> {
    const { log, state } = this.#options;
    const mark = log.last;
    const now = (await state?.now()) ?? [];
    const again = state === undefined ? [] : log.events.slice(Math.max(0, mark - log.dropped));
    this.#stateEnd = log.last;
    if (this.#sent === 0 && state !== undefined) return this.#emitFirst(now);
    while (this.#sent < this.#stateEnd && !this.#isOver) {
      await this.#send(this.#next(this.#stateEnd));
    }
    // Events during the query may or may not be part of the state; sending them twice is harmless.
    const rest = [...now, ...again.filter(isRepeatable)];
    this.#isTorn = state !== undefined && log.dropped > this.#stateEnd;
    await this.#sendAll(rest);
    this.#letGo();
  }

  /**
   * The stored events with their numbers. The state uses the numbers of dropped events: it is their result,
   * from which the stored ones continue.
   */
  async #emitFirst(now: readonly TraceEvent[]): Promise<void> {
    const { log } = this.#options;
    const { dropped } = log;
    this.#sent = dropped;
    const from = Math.max(1, dropped - now.length);
    const facts = now.map((event, at) => ({
      ...event,
      n: from + at,
      t: log.at(dropped + 1)?.t ?? 0,
    }));
    this.#isTorn = false;
    this.#rowsBefore = Math.max(0, log.droppedListed - facts.filter(isListed).length);
    if (dropped > 0) await this.#sendAll([...facts, noteOf(log, 0)]);
    while (this.#sent < this.#stateEnd && !this.#isTorn && !this.#isOver) {
      await this.#send(this.#next(this.#stateEnd));
    }
    this.#letGo();
  }

  async #sendAll(events: readonly TraceEvent[]): Promise<void> {
    for (let at = 0; at < events.length && !this.#isOver; ) {
      const chunk = takeChunk((count) => events[at + count]);
      at += chunk.length;
      await this.#send(chunk);
    }
  }

  /** The next batch, and the number of events dropped before they were sent. */
  #next(end: number): readonly TraceEvent[] {
    const { log, state } = this.#options;
    if (this.#sent < log.dropped) {
      if (this.#sent === 0) this.#rowsBefore = log.droppedListed;
      const note = noteOf(log, this.#sent);
      this.#sent = log.dropped;
      this.#isTorn ||= state !== undefined;
      return [note];
    }
    const chunk = takeChunk((count) => {
      const n = this.#sent + count + 1;
      return n > end ? undefined : log.at(n);
    });
    this.#sent += chunk.length;
    return chunk;
  }

  async #send(events: readonly TraceEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { peer, inspection, state } = this.#options;
    for (const event of events) state?.emit(event);
    const requestOptions = { timeoutMs: Number.POSITIVE_INFINITY };
    const params = {
      events: events.map(forPage),
      ...(inspection !== undefined && { inspection: inspection() }),
    };
    const taken = deliverToPage(peer, "live/events", params, requestOptions);
    this.#letGo();
    await taken;
  }

  #letGo(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function noteOf(log: EventLog, sent: number): TraceEvent {
  const n = log.dropped;
  const text =
    sent === 0
      ? `The first ${n} events are no longer stored.`
      : `${n - sent} events are not shown: they arrived faster than they were read.`;
  return { n, t: log.at(n + 1)?.t ?? 0, ev: "transcript", text, who: "idewire" };
}

/** @param at the event at this index; undefined when there is none */
function takeChunk(at: (count: number) => TraceEvent | undefined): readonly TraceEvent[] {
  const events: TraceEvent[] = [];
  let units = 0;
  while (events.length < MAX_EVENTS && units < MAX_UNITS) {
    const event = at(events.length);
    if (event === undefined) break;
    events.push(event);
    units += unitsOf(event);
  }
  return events;
}

function forPage(event: TraceEvent): TraceEvent {
  if (event.ev !== "frame" || event.raw.length <= MAX_PAGE_UNITS) return event;
  return { ...event, raw: event.raw.slice(0, BEGINNING_UNITS), cut: event.cut ?? event.raw.length };
}

/** Whether sending the event twice is harmless. */
function isRepeatable(event: TraceEvent): boolean {
  return event.ev === "editor" && !event.change.kind.startsWith("review");
}
