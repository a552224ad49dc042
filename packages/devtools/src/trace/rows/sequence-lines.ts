import type { TraceEvent } from "../format/trace-event.ts";
import type { EventLog } from "../recording/event-log.ts";
import type { NumberedRows } from "./event-rows.ts";
import { firstFrom } from "./first-from.ts";
import type { FrameFacts, FrameIndex } from "./frame-index.ts";

/** A longer pause is a line of its own. */
const GAP_MS = 400;
/** How many open requests are shown side by side. */
const MAX_LANES = 4;
/** How many bars and links across the whole view are shown. */
const MAX_THROUGH = 40;

/** One line of a sequence; the numbers of lines increase. */
export type SequenceLine =
  | { readonly n: number; readonly kind: "frame" }
  | { readonly n: number; readonly kind: "note"; readonly event: TraceEvent }
  | { readonly n: number; readonly kind: "gap"; readonly ms: number };

/** An open request, from its line to that of its answer. */
export interface RequestBar {
  /** The number of the request. */
  readonly n: number;
  readonly from: number;
  /** Undefined while the request is open. */
  readonly to: number | undefined;
  /** The column among bars side by side, from 0. */
  readonly lane: number;
  readonly fromIde: boolean;
  readonly t: number;
}

/** From the line of a cause to the line of its effect. */
export interface CauseLink {
  /** The number of the effect's event. */
  readonly n: number;
  readonly from: number;
  readonly to: number;
}

/** The sources of the lines. */
export interface SequenceOptions {
  readonly log: EventLog;
  readonly index: FrameIndex;
  /** The frames, and the notes that are always shown. */
  readonly rows: NumberedRows;
  /** Whether an event is a note, which is shown with the frame that it caused. */
  readonly isNote: (event: TraceEvent) => boolean;
}

type OpenBar = { -readonly [K in keyof RequestBar]: RequestBar[K] };

/** Frames and notes as lines, with the pauses between them, updated as the rows grow. */
export class SequenceLines {
  readonly #log: EventLog;
  readonly #index: FrameIndex;
  readonly #rows: NumberedRows;
  readonly #isNote: (event: TraceEvent) => boolean;
  #lines: SequenceLine[] = [];
  #bars: OpenBar[] = [];
  #links: CauseLink[] = [];
  #open = new Map<number, OpenBar>();
  #lanes: number[] = [];
  #processed = 0;
  /** How many unanswered requests of the index have been processed. */
  #ended = 0;
  #revision = -1;
  #last = 0;
  #lastMs: number | undefined;

  constructor({ log, index, rows, isNote }: SequenceOptions) {
    this.#log = log;
    this.#index = index;
    this.#rows = rows;
    this.#isNote = isNote;
  }

  /** In the order of their numbers; a view, valid until the next change. */
  get lines(): readonly SequenceLine[] {
    return this.#lines;
  }

  /** Adds the new rows. */
  update(): void {
    const { rows, revision } = this.#rows;
    if (revision !== this.#revision) this.#begin(revision);
    for (; this.#processed < rows.length; this.#processed += 1)
      this.#take(rows[this.#processed]?.n ?? 0);
    for (const n of this.#index.unansweredSince(this.#ended)) this.#end(n);
    this.#ended = this.#index.unanswered;
  }

  /** The requests that are open somewhere between two lines. */
  barsWithin(from: number, to: number): readonly RequestBar[] {
    const within = this.#bars.filter((bar) => {
      return bar.from < to && (bar.to === undefined || bar.to >= from) && !this.#isHidden(bar);
    });
    return withoutMost(within, (bar) => bar.from < from && (bar.to ?? to) >= to);
  }

  /** The links to, from or across the lines between two. */
  linksWithin(from: number, to: number): readonly CauseLink[] {
    const within = this.#links.filter((link) => link.from < to && link.to >= from);
    return withoutMost(within, (link) => link.to >= to);
  }

  /** How many lines there are up to the event number `n`. */
  countUpTo(n: number): number {
    // The pause after an event has the number of the event plus a half.
    return firstFrom(this.#lines, n + 0.25);
  }

  #begin(revision: number): void {
    this.#revision = revision;
    [this.#lines, this.#bars, this.#links, this.#lanes] = [[], [], [], []];
    this.#open = new Map();
    [this.#processed, this.#last, this.#lastMs, this.#ended] = [0, 0, undefined, 0];
  }

  #take(n: number): void {
    const event = this.#log.at(n);
    if (event === undefined) return;
    const { t, by } = event;
    const pause = this.#lastMs === undefined ? 0 : t - this.#lastMs;
    // A gap has a number between those of the lines around it, so that lines stay in order.
    if (pause > GAP_MS) this.#lines.push({ n: this.#last + 0.5, kind: "gap", ms: pause });
    const facts = this.#index.of(n);
    const cause = by === undefined || by >= n ? undefined : this.#log.at(by);
    const isHidden = cause !== undefined && cause.n > this.#last && this.#isNote(cause);
    // If a filter hides notes, a cause is shown with its frame nevertheless.
    if (facts !== undefined && isHidden) this.#push({ n: cause.n, kind: "note", event: cause });
    if (facts?.kind === "request") this.#wait(facts);
    else if (facts?.pair !== undefined) this.#answer(facts.pair);
    this.#push(facts === undefined ? { n, kind: "note", event } : { n, kind: "frame" });
    this.#last = n;
    this.#lastMs = t;
  }

  #push(line: SequenceLine): void {
    const by = this.#log.at(line.n)?.by;
    const from = by === undefined || by >= line.n ? -1 : firstFrom(this.#lines, by);
    if (from !== -1 && this.#lines[from]?.n === by) {
      this.#links.push({ n: line.n, from, to: this.#lines.length });
    }
    this.#lines.push(line);
  }

  #wait({ n, t, dir }: FrameFacts): void {
    let lane = 0;
    while (lane < MAX_LANES - 1 && this.#isBusy(lane, n)) lane += 1;
    this.#lanes[lane] = n;
    const from = this.#lines.length;
    const bar = { n, from, to: undefined, lane, fromIde: dir === "ide>agent", t };
    this.#bars.push(bar);
    this.#open.set(n, bar);
  }

  #isBusy(lane: number, n: number): boolean {
    const request = this.#lanes[lane];
    if (request === undefined) return false;
    const { pair, unanswered } = this.#index.of(request) ?? {};
    return (pair ?? unanswered?.by ?? Number.POSITIVE_INFINITY) > n;
  }

  /** The bar ends at the line of the event that ended the request, or the next one. */
  #end(n: number): void {
    const by = this.#index.of(n)?.unanswered?.by;
    const bar = this.#open.get(n);
    if (bar !== undefined && by !== undefined) bar.to = Math.max(bar.from, this.countUpTo(by - 1));
  }

  #answer(request: number): void {
    const bar = this.#open.get(request);
    if (bar === undefined) return;
    bar.to = this.#lines.length;
    this.#open.delete(request);
  }

  /** Answered by a frame that the filter hides. */
  #isHidden({ n, to }: OpenBar): boolean {
    return to === undefined && this.#index.of(n)?.pair !== undefined;
  }
}

/** Only the newest items that span the whole view: a hostile log may contain one for each event. */
function withoutMost<T>(all: readonly T[], leadsOn: (one: T) => boolean): readonly T[] {
  const through = all.filter(leadsOn);
  if (through.length <= MAX_THROUGH) return all;
  const left = new Set(through.slice(0, -MAX_THROUGH));
  return all.filter((one) => !left.has(one));
}
