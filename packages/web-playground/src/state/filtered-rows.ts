import { type FrameIndex, firstFrom, type NumberedRows } from "@idewire/devtools/internal";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FilterIssue, KeptFrames } from "./filter-frames.ts";
import type { PageModel } from "./page-model.ts";
import type { ShownRows } from "./rows.ts";

type FilterLanguage = typeof import("./filter-language.ts");

/** Which events a person wants to see of a log that grows. */
export interface ShownRange {
  /** When the log began, by which it is known: another one is shown whole. */
  readonly beganMs: number | undefined;
  /** The newest event that was cleared from the lists; 0 for none. */
  readonly after: number;
  /** The newest event when the lists were paused. */
  readonly upTo?: number;
}

const ALL: ShownRange = { beganMs: undefined, after: 0 };

/** How long a turn may filter: a hundred thousand frames take several. */
const SLICE_MS = 10;

/** The frames that pass the filter, up to the cursor; filtering that takes several turns shows what it has found so far. */
export class FilteredRows {
  /** What is wrong with the filter; then all frames are shown. */
  readonly issue: ReadonlySignal<FilterIssue | undefined> = computed(() => {
    void this.#turn.value;
    const filter = this.#filter.value;
    return filter?.ok === false ? filter : this.#stopped;
  });
  /** Whether filtering goes on. */
  readonly searching: Signal<boolean> = signal(false);
  /** The frames that pass. */
  readonly frames: ReadonlySignal<ShownRows> = computed(() => this.#showFrames());
  /** The same, and without a filter what leads to them or comes of them. */
  readonly lines: ReadonlySignal<ShownRows> = computed(() => {
    const frames = this.frames.value;
    return this.isOff ? this.#upToCursor(this.#model.index.events) : frames;
  });
  /** Kept from log to log, as a lost connection brings another one of the same events. */
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
  /** The regular expression of the filter that took too long. */
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

  /** What is shown of the log; the recorded events are the same. */
  get range(): ShownRange {
    const range = this.chosenRange.value;
    return range.beganMs === this.#model.beganMs ? range : ALL;
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

  /** @param isWaiting what the worker finds brings the next turn */
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
