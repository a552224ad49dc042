import type { Peer } from "@idewire/core/rpc";
import {
  deliverToPage,
  type InspectionFacts,
  isListed,
  notifyPage,
  unitsOf,
} from "@idewire/devtools/internal";
import type { EventLog, TraceEvent } from "@idewire/devtools/trace";

/** The size of a batch; a slow page gets the next batch when it has taken this one. */
const MAX_EVENTS = 500;
const MAX_UNITS = 1 << 20;
/** Of a longer frame a page gets the beginning only: it has to draw it. */
const MAX_PAGE_UNITS = 1 << 22;
const BEGINNING_UNITS = 1 << 16;

/** State that a page gets as it is now, in place of the events that led to it. */
export interface SentState {
  /** The current state, as far as the page does not know it. */
  now(): Promise<readonly TraceEvent[]>;
  /** Called with each event that is sent to the page. */
  emit(event: TraceEvent): void;
}

/** What is sent, and to which page. */
export interface LogSenderOptions {
  readonly peer: Peer;
  readonly log: EventLog;
  /** The newest facts go with each chunk. */
  readonly inspection?: () => InspectionFacts;
  readonly state?: SentState;
}

/**
 * Sends a page the events of a log, present and future, as fast as the page takes them: one chunk is
 * under way, and what happens meanwhile is sent together. What the log dropped before the page
 * could have it is counted in a note, and the state is sent again.
 */
export class LogSender {
  readonly #options: LogSenderOptions;
  readonly #waiting: (() => void)[] = [];
  /** The newest event that the page has. */
  #sent = 0;
  /** The number of the event up to which the state was sent. */
  #stateEnd = 0;
  #isTorn = true;
  /** How many events with a row came before the first that the page gets. */
  #rowsBefore = 0;
  #wake: () => void = () => {};
  #isOver = false;

  constructor(options: LogSenderOptions) {
    this.#options = options;
  }

  /** Begins, and ends with the peer. */
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
        // What happens in one turn is sent together.
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

  /** Settles when the page was sent all that is in the log now. */
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

  /** What was, and then how things are. */
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
    // Events during the look may be part of the state or not; sending them twice does no harm.
    const rest = [...now, ...again.filter(isRepeatable)];
    this.#isTorn = state !== undefined && log.dropped > this.#stateEnd;
    await this.#sendAll(rest);
    this.#letGo();
  }

  /**
   * All that is kept, under the numbers that it has here. How things are takes the numbers of what
   * is no longer kept: it is the result of those events, and the kept ones continue from there.
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

  /** The next batch, and how many events were dropped before the page could have them. */
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
      ? `The first ${n} events are no longer kept.`
      : `${n - sent} events are not shown: they came faster than they were read.`;
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

/** Telling it twice does no harm. */
function isRepeatable(event: TraceEvent): boolean {
  return event.ev === "editor" && !event.change.kind.startsWith("review");
}
