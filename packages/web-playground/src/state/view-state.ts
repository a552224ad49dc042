import { batch, effect, type Signal, signal } from "@preact/signals";
import { FilteredRows } from "./filtered-rows.ts";
import type { PageModel } from "./page-model.ts";
import { readItem, saveItem } from "./storage.ts";

const THEME = "idewire.theme";

export type PageTheme = "system" | "light" | "dark";
/** The panes, by their names; on a phone one is shown at a time. */
export type PaneName = "editor" | "agent" | "wire" | "frame";

/** The views of the frames. */
export type WireTab = "list" | "sequence" | "dialects" | "checks";
/** The views of one frame. */
export type FrameTab = "summary" | "tree" | "raw" | "schema";

/** The dialogs of a folder. */
export type FolderDialogName = "doctor" | "files";

export function isOfFolder(name: DialogName): name is FolderDialogName {
  return name === "doctor" || name === "files";
}

/** The dialogs, of which one is open at a time. */
export type DialogName =
  | FolderDialogName
  | "faults"
  | "breakpoint"
  | "filters"
  | "share"
  | "search"
  | "keys"
  | "inspector"
  | "compare"
  | "latency"
  | "replay"
  | "scenario";

/** An action that a dialog takes as soon as it can, such as saving a file that is being prepared. */
export type DialogAction =
  | "openFile"
  | "saveJsonl"
  | "saveHar"
  | "copyLink"
  | "copyFaultLink"
  | "changeToken";

/** The state of the views. */
export class PageViewState {
  readonly filter = signal("");
  /** The event number of the selected frame. */
  readonly selected: Signal<number | undefined> = signal(undefined);
  readonly wireTab: Signal<WireTab> = signal("list");
  readonly frameTab: Signal<FrameTab> = signal("summary");
  /** The place of a problem in the frame, as a JSON pointer. */
  readonly place: Signal<string | undefined> = signal(undefined);
  /** The id of the selected pending diff; the oldest is shown if it is not pending. */
  readonly review: Signal<string | undefined> = signal(undefined);
  /** The id of the past change that is shown, such as an answered diff; undefined for none. */
  readonly change: Signal<string | undefined> = signal(undefined);
  /** Whether a file is shown although diffs are pending, because the person selected it. */
  readonly showsFile = signal(false);
  readonly pane: Signal<PaneName> = signal("editor");
  readonly theme: Signal<PageTheme> = signal(readTheme());
  readonly presenter = signal(false);
  readonly palette = signal(false);
  readonly dialog: Signal<DialogName | undefined> = signal(undefined);
  readonly dialogAction: Signal<DialogAction | undefined> = signal(undefined);
  /** The search text in the frame; undefined while the search is closed. */
  readonly searched: Signal<string | undefined> = signal(undefined);
  /** Answers the diff that is shown; undefined if none can be answered. */
  readonly answer: Signal<((kind: "accepted" | "rejected") => void) | undefined> =
    signal(undefined);
  /** A trace that was dropped on the page, until it is read. */
  readonly dropped: Signal<File | undefined> = signal(undefined);
  /** The events that pass the filter, up to the cursor. */
  readonly rows: FilteredRows;

  constructor(model: PageModel) {
    this.rows = new FilteredRows(model, this.filter);
    effect(() => {
      document.documentElement.dataset["theme"] = this.theme.value;
      saveItem(THEME, this.theme.value);
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

  /** Focuses the selected frame. */
  openFrame(): void {
    this.pane.value = "frame";
    window.setTimeout(() => document.getElementById("frame-view")?.focus());
  }

  /** Shows the pending diffs. */
  openReview(): void {
    this.change.value = undefined;
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
  const kept = readItem(THEME);
  return kept === "light" || kept === "dark" ? kept : "system";
}
