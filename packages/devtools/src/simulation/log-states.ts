import type { Diagnostic, Range } from "@idewire/core";
import type { EditorChange } from "@idewire/core/internal";
import type { TraceEvent } from "../trace/format/trace-event.ts";
import type { EventLog } from "../trace/recording/event-log.ts";
import { firstFrom } from "../trace/rows/first-from.ts";

/** A diff on the screen. */
export interface LoggedReview {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly original: string;
  readonly proposed: string;
  /** The text of the file when this was proposed, if that was another one. */
  readonly base?: string;
  /** Facts that the lines do not show, in words. */
  readonly notes?: readonly string[];
  /** Whether the file is outside the folder. */
  readonly outside?: boolean;
}

/** A line of the agent's terminal. */
export interface LoggedLine {
  readonly n: number;
  readonly text: string;
}

/** The state of both ends at one moment of a log. */
export interface LogState {
  readonly files: ReadonlyMap<string, string>;
  readonly unsaved: ReadonlySet<string>;
  /** The open files, the one with the focus last. */
  readonly tabs: readonly string[];
  readonly selection?: { readonly path: string; readonly range: Range };
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Oldest first. */
  readonly reviews: readonly LoggedReview[];
  /** The agent's terminal, oldest line first. */
  readonly transcript: readonly LoggedLine[];
  readonly connected: boolean;
  /** The names of the connections that are open. */
  readonly channels: ReadonlySet<string>;
}

/** A mutable state, while events are applied to it. */
interface LogStateDraft {
  readonly files: Map<string, string>;
  readonly unsaved: Set<string>;
  /** In the order in which they had the focus. */
  readonly tabs: Set<string>;
  selection: LogState["selection"];
  readonly diagnostics: Map<string, readonly Diagnostic[]>;
  readonly reviews: Map<string, LoggedReview>;
  readonly transcript: LoggedLine[];
  readonly channels: Set<string>;
}

const nothing: LogState = finish({
  files: new Map(),
  unsaved: new Set(),
  tabs: new Set(),
  selection: undefined,
  diagnostics: new Map(),
  reviews: new Map(),
  transcript: [],
  channels: new Set(),
});

function begin(state: LogState): LogStateDraft {
  return {
    files: new Map(state.files),
    unsaved: new Set(state.unsaved),
    tabs: new Set(state.tabs),
    selection: state.selection,
    diagnostics: new Map(state.diagnostics),
    reviews: new Map(state.reviews.map((review) => [review.id, review])),
    transcript: [...state.transcript],
    channels: new Set(state.channels),
  };
}

function finish({ selection, tabs, reviews, ...draft }: LogStateDraft): LogState {
  return {
    ...draft,
    ...(selection !== undefined && { selection }),
    tabs: [...tabs],
    reviews: [...reviews.values()],
    connected: draft.channels.size > 0,
  };
}

/** The approximate cost of a copy. */
function weigh({ files, tabs, diagnostics, reviews, transcript, channels }: LogStateDraft): number {
  const sets = [files, tabs, diagnostics, reviews, channels];
  return sets.reduce((sum, { size }) => sum + size, transcript.length);
}

function isOfInterest({ ev }: TraceEvent): boolean {
  return ev === "editor" || ev === "transcript" || ev === "open" || ev === "close";
}

/** Applies an event to a state. */
function take(draft: LogStateDraft, event: TraceEvent): void {
  if (event.ev === "editor") takeChange(draft, event.change);
  else if (event.ev === "transcript") draft.transcript.push({ n: event.n, text: event.text });
  else if (event.ev === "open") draft.channels.add(event.ch);
  else if (event.ev === "close") draft.channels.delete(event.ch);
}

function takeChange(draft: LogStateDraft, change: EditorChange): void {
  switch (change.kind) {
    case "text":
      if (change.unsaved === true) draft.unsaved.add(change.path);
      else draft.unsaved.delete(change.path);
      draft.files.set(change.path, change.text);
      break;
    case "deleted":
      draft.files.delete(change.path);
      break;
    case "opened":
      draft.tabs.delete(change.path);
      draft.tabs.add(change.path);
      break;
    case "closed":
      draft.tabs.delete(change.path);
      break;
    case "selected":
      draft.selection = { path: change.path, range: change.range };
      break;
    case "diagnostics":
      draft.diagnostics.set(change.path, change.diagnostics);
      break;
    case "review-opened": {
      const { kind: _, ...review } = change;
      draft.reviews.set(review.id, review);
      break;
    }
    case "review-closed":
      draft.reviews.delete(change.id);
  }
}

/** The smallest number of events between two cached states. */
const EVERY = 200;

/** The states of a log at any moment; some are cached, so that any is found quickly. */
export class LogStates {
  readonly #log: EventLog;
  /** By increasing number; the larger the states, the fewer are cached. */
  readonly #cached: { readonly n: number; readonly state: LogState }[] = [];
  #latest: { readonly n: number; readonly state: LogState } = { n: 0, state: nothing };

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** The state after the event number `n`; after the newest when there are fewer. */
  at(n: number): LogState {
    const target = Math.min(n, this.#log.last);
    const base = this.#latest.n <= target ? this.#latest : this.#cachedBefore(target);
    let { state } = base;
    let draft: LogStateDraft | undefined;
    for (let at = base.n + 1; at <= target; at += 1) {
      const event = this.#log.at(at);
      if (event !== undefined && isOfInterest(event)) {
        draft ??= begin(state);
        take(draft, event);
      }
      if (!this.#isDue(at, draft)) continue;
      if (draft !== undefined) state = finish(draft);
      draft = undefined;
      this.#cached.push({ n: at, state });
    }
    if (draft !== undefined) state = finish(draft);
    if (target >= this.#latest.n) this.#latest = { n: target, state };
    return state;
  }

  #cachedBefore(n: number): { readonly n: number; readonly state: LogState } {
    return this.#cached[firstFrom(this.#cached, n + 1) - 1] ?? { n: 0, state: nothing };
  }

  #isDue(n: number, draft: LogStateDraft | undefined): boolean {
    const passed = n - (this.#cached.at(-1)?.n ?? 0);
    return passed >= EVERY && passed >= (draft === undefined ? 0 : weigh(draft));
  }
}
