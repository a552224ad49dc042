import {
  type EventLog,
  EventRows,
  type FrameIndex,
  type FrameRows,
  firstFrom,
  type NumberedRows,
  type TraceEvent,
} from "@idewire/devtools/trace";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { isNote } from "./notes.ts";
import type { PageModel } from "./page-model.ts";
import type { ShownRows } from "./rows.ts";

type FilterLanguage = typeof import("./filter-language.ts");

/** How long a turn may filter: a hundred thousand frames take several. */
const SLICE_MS = 10;

/** The frames that pass the filter, up to the cursor; filtering that takes several turns shows what it has found so far. */
export class FilteredRows {
  /** What is wrong with the filter. */
  readonly issue: ReadonlySignal<string | undefined> = computed(() => {
    const filter = this.#filter.value;
    return filter?.ok === false ? filter.issue : undefined;
  });
  /** Whether filtering goes on. */
  readonly searching: Signal<boolean> = signal(false);
  /** The frames that pass. */
  readonly frames: ReadonlySignal<ShownRows> = computed(() => this.#showFrames());
  /** The same, and without a filter the notes between them. */
  readonly lines: ReadonlySignal<ShownRows> = computed(() => this.#showLines(this.#list));
  /** And with the output of the agent, which the list leaves to the pane of the agent. */
  readonly story: ReadonlySignal<ShownRows> = computed(() => this.#showLines(this.#whole));
  readonly #model: PageModel;
  readonly #source: Signal<string>;
  readonly #language: Signal<FilterLanguage | undefined> = signal(undefined);
  readonly #turn = signal(0);
  readonly #filter = computed(() => {
    const source = this.#source.value;
    if (source.trim() === "") return undefined;
    if (this.#language.value === undefined) void this.load();
    return this.#language.value?.parseFilter(source);
  });
  readonly #list: KeptEvents = {
    isShown: (event) => event.ev === "frame" || (isNote(event) && event.ev !== "transcript"),
  };
  readonly #whole: KeptEvents = { isShown: (event) => event.ev === "frame" || isNote(event) };
  #timer: number | undefined;
  #kept: { index?: FrameIndex; filter?: unknown; update?: UpdateFrames; frames: FrameRows };

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
    model.version.value;
    this.#turn.value;
    if (this.#source.value.includes("problem:")) model.problems.value;
    const { frames, update } = this.#framesNow();
    const end = performance.now() + SLICE_MS;
    const isDone = update?.(() => performance.now() < end) ?? true;
    this.#goOn(isDone);
    return this.#upToCursor(frames);
  }

  #showLines(kept: KeptEvents): ShownRows {
    const frames = this.frames.value;
    if (this.#source.value.trim() !== "") return frames;
    const { log } = this.#model;
    if (kept.log !== log) {
      kept.log = log;
      kept.rows = new EventRows(log, kept.isShown);
    }
    kept.rows?.update();
    return kept.rows === undefined ? frames : this.#upToCursor(kept.rows);
  }

  #upToCursor(source: NumberedRows): ShownRows {
    const cursor = this.#model.cursor.value;
    const list = source.rows;
    return {
      list,
      source,
      length: cursor === undefined ? list.length : firstFrom(list, cursor + 1),
    };
  }

  #goOn(isDone: boolean): void {
    window.clearTimeout(this.#timer);
    if (isDone && !this.searching.peek()) return;
    this.#timer = window.setTimeout(() => {
      this.searching.value = !isDone;
      if (!isDone) this.#turn.value += 1;
    });
  }

  #framesNow(): { readonly frames: FrameRows; readonly update?: UpdateFrames } {
    const { index } = this.#model;
    const filter = this.#filter.value;
    if (this.#kept.index === index && this.#kept.filter === filter) return this.#kept;
    const language = this.#language.value;
    if (filter?.ok !== true || filter.value.isEmpty || language === undefined) {
      this.#kept = { index, filter, frames: index };
    } else {
      const frames = new language.FilteredFrames({
        ...{ index, filter: filter.value },
        raw: (n) => this.#model.rawOf(n),
        problems: () => this.#model.problems.peek(),
      });
      this.#kept = { index, filter, frames, update: (hasTime) => frames.update(hasTime) };
    }
    return this.#kept;
  }
}

/** Which events of a log are shown. */
interface KeptEvents {
  readonly isShown: (event: TraceEvent) => boolean;
  log?: EventLog;
  rows?: EventRows;
}

type UpdateFrames = (hasTime: () => boolean) => boolean;
