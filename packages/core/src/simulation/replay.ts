import type { Diagnostic, Range } from "../ide/editor-host.ts";
import type { EventLog } from "../trace/event-log.ts";
import type { EditorChange, TraceEvent } from "../trace/trace-event.ts";

/** A proposal on the screen. */
export interface ReplayedReview {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly original: string;
  readonly proposed: string;
}

/** Both ends as a log says that they were at one moment. */
export interface ReplayState {
  readonly files: ReadonlyMap<string, string>;
  readonly unsaved: ReadonlySet<string>;
  /** The open files, the one with the focus last. */
  readonly tabs: readonly string[];
  readonly selection?: { readonly path: string; readonly range: Range };
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Oldest first. */
  readonly reviews: readonly ReplayedReview[];
  /** What the agent said, oldest first, each with the number of its event. */
  readonly transcript: readonly { readonly n: number; readonly text: string }[];
  readonly connected: boolean;
  /** The names of the connections that are open. */
  readonly channels: ReadonlySet<string>;
}

const nothing: ReplayState = {
  files: new Map(),
  unsaved: new Set(),
  tabs: [],
  diagnostics: new Map(),
  reviews: [],
  transcript: [],
  connected: false,
  channels: new Set(),
};

function withChannels(state: ReplayState, channels: ReadonlySet<string>): ReplayState {
  return { ...state, channels, connected: channels.size > 0 };
}

/** The state after one more event. */
function next(state: ReplayState, event: TraceEvent): ReplayState {
  switch (event.ev) {
    case "editor":
      return nextEditor(state, event.change);
    case "transcript":
      return { ...state, transcript: [...state.transcript, { n: event.n, text: event.text }] };
    case "open":
      return withChannels(state, new Set(state.channels).add(event.ch));
    case "close": {
      const channels = new Set(state.channels);
      channels.delete(event.ch);
      return withChannels(state, channels);
    }
    default:
      return state;
  }
}

function nextEditor(state: ReplayState, change: EditorChange): ReplayState {
  switch (change.kind) {
    case "text": {
      const unsaved = new Set(state.unsaved);
      if (change.unsaved === true) unsaved.add(change.path);
      else unsaved.delete(change.path);
      return { ...state, unsaved, files: new Map(state.files).set(change.path, change.text) };
    }
    case "deleted": {
      const files = new Map(state.files);
      files.delete(change.path);
      return { ...state, files };
    }
    case "opened":
      return { ...state, tabs: [...state.tabs.filter((tab) => tab !== change.path), change.path] };
    case "closed":
      return { ...state, tabs: state.tabs.filter((tab) => tab !== change.path) };
    case "selected":
      return { ...state, selection: { path: change.path, range: change.range } };
    case "diagnostics": {
      const diagnostics = new Map(state.diagnostics).set(change.path, change.diagnostics);
      return { ...state, diagnostics };
    }
    case "review-opened": {
      const { kind: _, ...review } = change;
      return { ...state, reviews: [...state.reviews, review] };
    }
    case "review-closed":
      return { ...state, reviews: state.reviews.filter(({ id }) => id !== change.id) };
  }
}

const EVERY = 200;

/** The states of a log at any moment: near ones are quick, since some are kept. */
export class Replay {
  readonly #log: EventLog;
  /** The states after every 200th event. */
  #kept = new Map<number, ReplayState>();
  #latest: { readonly n: number; readonly state: ReplayState } = { n: 0, state: nothing };

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** The state after the event number `n`; after the newest when there are fewer. */
  at(n: number): ReplayState {
    const target = Math.min(n, this.#log.last);
    let { n: from, state } = this.#latest;
    if (from > target) {
      from = target - (target % EVERY);
      while (from > 0 && !this.#kept.has(from)) from -= EVERY;
      state = this.#kept.get(from) ?? nothing;
    }
    for (let at = from + 1; at <= target; at += 1) {
      const event = this.#log.at(at);
      if (event !== undefined) state = next(state, event);
      if (at % EVERY === 0) this.#kept.set(at, state);
    }
    if (target >= this.#latest.n) this.#latest = { n: target, state };
    return state;
  }
}
