import { type Filter, type FrameFacts, parseFilter } from "@idewire/core/trace";
import { batch, computed, effect, type Signal, signal } from "@preact/signals";
import { type Row, withNotes } from "./notes.ts";
import type { Session } from "./session.ts";

export type Theme = "system" | "light" | "dark";
/** The panes, by their names; on a phone one is shown at a time. */
export type PaneName = "editor" | "agent" | "wire" | "frame";

/** Ways to look at the frames. */
export type WireTab = "list" | "sequence" | "lens";
/** Ways to look at one frame. */
export type FrameTab = "summary" | "tree" | "raw" | "schema";

/** What is looked at, and how. */
export class ViewState {
  readonly filter = signal("");
  /** The number of the frame that is inspected. */
  readonly selected: Signal<number | undefined> = signal(undefined);
  readonly wireTab: Signal<WireTab> = signal("list");
  readonly frameTab: Signal<FrameTab> = signal("summary");
  /** The place in the frame that a problem leads to, as a JSON pointer. */
  readonly place: Signal<string | undefined> = signal(undefined);
  readonly pane: Signal<PaneName> = signal("editor");
  readonly theme: Signal<Theme> = signal(readTheme());
  readonly presenter = signal(false);
  readonly palette = signal(false);
  readonly dialog: Signal<"faults" | "share" | "help" | "doctor" | undefined> = signal(undefined);
  /** What is wrong with the filter. */
  readonly filterIssue = computed(() => {
    const filter = parseFilter(this.filter.value);
    return filter.ok ? undefined : filter.issue;
  });
  /** The frames that pass the filter, oldest first, up to the cursor. */
  readonly rows = computed<readonly FrameFacts[]>(() => {
    this.#session.version.value;
    if (this.filter.value.includes("problem:")) this.#session.problems.value;
    return this.#rows(this.filter.value, this.#session.cursor.value);
  });
  /** The same with what happened between them, while nothing is filtered. */
  readonly lines = computed<readonly Row[]>(() => {
    const frames = this.rows.value;
    if (this.filter.value.trim() !== "") return frames;
    const { notes, cursor } = this.#session;
    const last = cursor.value ?? Number.POSITIVE_INFINITY;
    // What the agent says stands in its own pane; only the sequence tells the story as a whole.
    const isWhole = this.wireTab.value === "sequence";
    const shown = notes.filter(({ n, ev }) => n <= last && (isWhole || ev !== "transcript"));
    return withNotes(frames, shown);
  });
  readonly #session: Session;
  #cache: { source: string; frames: readonly FrameFacts[]; seen: number; rows: FrameFacts[] } = {
    ...{ source: "", frames: [], seen: 0, rows: [] },
  };

  constructor(session: Session) {
    this.#session = session;
    effect(() => {
      document.documentElement.dataset["theme"] = this.theme.value;
      try {
        localStorage.setItem("idewire.theme", this.theme.value);
      } catch {
        // A page that may keep nothing forgets.
      }
    });
    effect(() => {
      document.documentElement.toggleAttribute("data-presenter", this.presenter.value);
    });
  }

  #rows(source: string, cursor: number | undefined): readonly FrameFacts[] {
    const { frames } = this.#session.index;
    const parsed = parseFilter(source);
    const filter = parsed.ok ? parsed.value : undefined;
    const rows = filter === undefined || filter.isEmpty ? frames : this.#filtered(filter, frames);
    // Always a list of its own: the index grows in place, and the same list would not be drawn again.
    return cursor === undefined ? rows.slice() : rows.filter(({ n }) => n <= cursor);
  }

  /** Only what is new is looked at, unless the filter is another or an answer changed its request. */
  #filtered(filter: Filter, frames: readonly FrameFacts[]): readonly FrameFacts[] {
    const cached = this.#cache;
    const goesOn =
      cached.source === filter.source &&
      cached.frames === frames &&
      !/duration|status|problem/.test(filter.source);
    const rows = goesOn ? cached.rows : [];
    for (let at = goesOn ? cached.seen : 0; at < frames.length; at += 1) {
      const facts = frames[at] as FrameFacts;
      const problems = () => this.#session.problems.value?.layersOf(facts.n) ?? [];
      if (filter.matches({ facts, raw: () => this.rawOf(facts.n), problems })) rows.push(facts);
    }
    this.#cache = { source: filter.source, frames, seen: frames.length, rows };
    return rows;
  }

  /** Looks at a frame; at one place of it, when a pointer is given. */
  show(n: number, place?: string): void {
    batch(() => {
      this.selected.value = n;
      this.place.value = place;
      if (place !== undefined) this.frameTab.value = "tree";
    });
  }

  /** The text of a frame. */
  rawOf(n: number): string {
    const event = this.#session.log.at(n);
    return event?.ev === "frame" ? event.raw : "";
  }
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem("idewire.theme");
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}
