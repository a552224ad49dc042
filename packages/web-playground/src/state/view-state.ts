import { batch, effect, type Signal, signal } from "@preact/signals";
import { FilteredRows } from "./filtered-rows.ts";
import type { PageModel } from "./page-model.ts";
import { keep, readKept } from "./storage.ts";

const THEME = "idewire.theme";

export type PageTheme = "system" | "light" | "dark";
/** The panes, by their names; on a phone one is shown at a time. */
export type PaneName = "editor" | "agent" | "wire" | "frame";

/** Ways to look at the frames. */
export type WireTab = "list" | "sequence" | "dialects" | "checks";
/** Ways to look at one frame. */
export type FrameTab = "summary" | "tree" | "raw" | "schema";

/** The dialogs, of which one is open at a time. */
export type DialogName =
  | "faults"
  | "breakpoint"
  | "filters"
  | "share"
  | "keys"
  | "doctor"
  | "compare"
  | "latency"
  | "replay"
  | "scenario";

/** What a dialog does by itself once it can, such as to save a file that is being prepared. */
export type DialogAction =
  | "openFile"
  | "saveJsonl"
  | "saveHar"
  | "copyLink"
  | "copyFaultLink"
  | "changeToken";

/** What is shown, and how. */
export class PageViewState {
  readonly filter = signal("");
  /** The event number of the selected frame. */
  readonly selected: Signal<number | undefined> = signal(undefined);
  readonly wireTab: Signal<WireTab> = signal("list");
  readonly frameTab: Signal<FrameTab> = signal("summary");
  /** The place in the frame that a problem leads to, as a JSON pointer. */
  readonly place: Signal<string | undefined> = signal(undefined);
  /** The id of the diff to review that was chosen; the oldest while it is none of them. */
  readonly review: Signal<string | undefined> = signal(undefined);
  /** Whether a file is shown though diffs wait, since the person chose it. */
  readonly showsFile = signal(false);
  readonly pane: Signal<PaneName> = signal("editor");
  readonly theme: Signal<PageTheme> = signal(readTheme());
  readonly presenter = signal(false);
  readonly palette = signal(false);
  readonly dialog: Signal<DialogName | undefined> = signal(undefined);
  readonly dialogAction: Signal<DialogAction | undefined> = signal(undefined);
  /** What is searched for in the frame; undefined while the search is closed. */
  readonly sought: Signal<string | undefined> = signal(undefined);
  /** Answers the diff that is shown; undefined if none can be answered. */
  readonly answer: Signal<((kind: "accepted" | "rejected") => void) | undefined> =
    signal(undefined);
  /** A trace that was dropped on the page, until it is being read. */
  readonly dropped: Signal<File | undefined> = signal(undefined);
  /** What passes the filter, up to the cursor. */
  readonly rows: FilteredRows;

  constructor(model: PageModel) {
    this.rows = new FilteredRows(model, this.filter);
    effect(() => {
      document.documentElement.dataset["theme"] = this.theme.value;
      keep(THEME, this.theme.value);
    });
    effect(() => {
      document.documentElement.toggleAttribute("data-presenter", this.presenter.value);
    });
  }

  /** Opens a dialog, with an action that it takes as soon as it can. */
  openDialog(name: DialogName, action?: DialogAction): void {
    batch(() => {
      this.dialogAction.value = action;
      this.dialog.value = name;
    });
  }

  /** Goes to the frame that is selected. */
  openFrame(): void {
    this.pane.value = "frame";
    window.setTimeout(() => document.getElementById("frame-view")?.focus());
  }

  /** Goes to the diffs that wait. */
  openReview(): void {
    this.showsFile.value = false;
    this.pane.value = "editor";
  }

  /** Selects a frame, and shows one place of it when a JSON pointer is given. */
  show(n: number, place?: string): void {
    batch(() => {
      this.selected.value = n;
      this.place.value = place;
      if (place !== undefined) this.frameTab.value = "tree";
    });
  }
}

function readTheme(): PageTheme {
  const kept = readKept(THEME);
  return kept === "light" || kept === "dark" ? kept : "system";
}
