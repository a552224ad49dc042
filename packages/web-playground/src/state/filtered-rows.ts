import { type FrameIndex, firstFrom, type NumberedRows } from "@idewire/devtools/internal";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FilterIssue, KeptFrames } from "./filter-frames.ts";
import type { PageModel } from "./page-model.ts";
import type { ShownRows } from "./rows.ts";

type FilterLanguage = typeof import("./filter-language.ts");

/** The visible range of a growing log. */
export interface ShownRange {
  /** The start time of the log, which identifies it; another log is shown whole. */
  readonly startedMs: number | undefined;
  /** The newest event that was cleared from the lists; 0 for none. */
  readonly after: number;
  /** The newest event at the time of the pause. */
  readonly upTo?: number;
}

const ALL: ShownRange = { startedMs: undefined, after: 0 };

/** The longest time per turn; a hundred thousand frames take several. */
const SLICE_MS = 10;

/** The frames that pass the filter, up to the cursor. Filtering may take several turns and shows the frames found so far. */
export class FilteredRows {
  /** The error of the filter; all frames are shown then. */
  readonly issue: ReadonlySignal<FilterIssue | undefined> = computed(() => {
    void this.#turn.value;
    const filter = this.#filter.value;
    return filter?.ok === false ? filter : this.#stopped;
  });
  /** Whether filtering is in progress. */
  readonly searching: Signal<boolean> = signal(false);
  /** The frames that pass. */
  readonly frames: ReadonlySignal<ShownRows> = computed(() => this.#showFrames());
  /** The same; without a filter, their causes and effects as well. */
  readonly lines: ReadonlySignal<ShownRows> = computed(() => {
    const frames = this.frames.value;
    return this.isOff ? this.#upToCursor(this.#model.index.events) : frames;
  });
  /** Kept across logs: a reconnection brings a new log with the same events. */
  readonly chosenRange: Signal<ShownRange> = signal(ALL);
  readonly #model: PageModel;
  readonly #source: Signal<string>;
  readonly #language: Signal<FilterLanguage | undefined> = signal(undefined);
  readonly #turn = signal(0);
  readonly #filter = computed(() => {
    const source = this.#source.value;
    if (source.trim() === "") return undefined;
    if (this.#language.value === undefined) void this.load();
    return this.#language.value?.parseFilter(source, { regex: true });
  });
  #timer: number | undefined;
  #kept: KeptFrames & { readonly index?: FrameIndex; readonly filter?: unknown };
  /** The regular expression that took too long. */
  #stopped: FilterIssue | undefined;

  constructor(model: PageModel, source: Signal<string>) {
    this.#model = model;
    this.#source = source;
    this.#kept = { frames: model.index };
  }

  /** Loads the filter language. */
  async load(): Promise<void> {
    this.#language.value ??= await import("./filter-language.ts");
  }

  #showFrames(): ShownRows {
    const model = this.#model;
    void model.version.value;
    void this.#turn.value;
    if (this.#source.value.includes("problem:")) void model.problems.value;
    const { frames, update, search } = this.#framesNow();
    const end = performance.now() + SLICE_MS;
    const isDone = update?.(() => performance.now() < end) ?? true;
    this.#goOn(isDone, search?.isBehind === true);
    return this.#upToCursor(frames);
  }

  /** Whether there is no filter. */
  get isOff(): boolean {
    return this.#source.value.trim() === "";
  }

  /** The visible range; recorded events are not affected. */
  get range(): ShownRange {
    const range = this.chosenRange.value;
    return range.startedMs === this.#model.startedMs ? range : ALL;
  }

  #upToCursor(source: NumberedRows): ShownRows {
    const { after, upTo } = this.range;
    const last = this.#model.cursor.value ?? upTo;
    const list = after ? source.rows.slice(firstFrom(source.rows, after + 1)) : source.rows;
    return {
      list,
      source,
      length: last === undefined ? list.length : firstFrom(list, last + 1),
    };
  }

  /** @param isWaiting whether results of the worker will start the next turn */
  #goOn(isDone: boolean, isWaiting: boolean): void {
    window.clearTimeout(this.#timer);
    if (isDone && !this.searching.peek()) return;
    this.#timer = window.setTimeout(() => {
      this.searching.value = !isDone;
      if (!isDone && !isWaiting) this.#turn.value += 1;
    });
  }

  #framesNow(): KeptFrames {
    const { index } = this.#model;
    const filter = this.#filter.value;
    if (this.#kept.index === index && this.#kept.filter === filter) return this.#kept;
    this.#kept.search?.close();
    this.#stopped = undefined;
    const language = this.#language.value;
    if (filter?.ok !== true || filter.value.isEmpty || language === undefined) {
      this.#kept = { index, filter, frames: index };
    } else {
      const kept = language.filterFrames(this.#model, filter.value, {
        onmatches: () => {
          this.#turn.value += 1;
        },
        onstop: (issue) => {
          this.#kept = { index, filter, frames: index };
          this.#stopped = issue;
          this.#turn.value += 1;
        },
      });
      this.#kept = { index, filter, ...kept };
    }
    return this.#kept;
  }
}
