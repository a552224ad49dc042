import { showHiddenInLine } from "@idewire/core/internal";
import { type App, Modal, setIcon } from "obsidian";
import { texts } from "../../texts/index.ts";
import { formatDay, formatTime } from "../../texts/time.ts";
import { addButton, addIconButton } from "../view/controls.ts";
import type { ReviewHistory } from "./history.ts";
import { isUnreviewed, type ReviewOutcome, type ReviewRecord } from "./record.ts";

export interface HistoryModalParts {
  readonly history: ReviewHistory;
  readonly show: (record: ReviewRecord) => void;
  /** Lists only edits that came without a review. */
  readonly onlyUnreviewed: boolean;
}

const ICONS: Readonly<Record<ReviewOutcome, string>> = {
  waiting: "clock",
  accepted: "check",
  edited: "check-check",
  rejected: "x",
  closed: "x",
  "answered-elsewhere": "terminal",
  withdrawn: "undo",
  unreviewed: "pencil",
  undone: "undo-2",
  kept: "check",
  "partly-undone": "undo-2",
  expired: "clock-alert",
};

/** The recent reviews: note, proposal and outcome. */
export class HistoryModal extends Modal {
  readonly #parts: HistoryModalParts;
  #stop: (() => void) | undefined;

  constructor(app: App, parts: HistoryModalParts) {
    super(app);
    this.#parts = parts;
  }

  override onOpen(): void {
    const { history } = this.#parts;
    this.setTitle(this.#parts.onlyUnreviewed ? texts.edits.title : texts.review.history.title);
    this.modalEl.addClass("idewire-history");
    this.#stop = history.on("change", () => void this.#render());
    void this.#render();
  }

  override onClose(): void {
    this.#stop?.();
    this.contentEl.empty();
  }

  async #render(): Promise<void> {
    const { history } = this.#parts;
    const { onlyUnreviewed } = this.#parts;
    const records = (await history.list()).filter((each) => !onlyUnreviewed || isUnreviewed(each));
    this.contentEl.empty();
    if (records.length === 0) {
      const none = onlyUnreviewed ? texts.edits.empty : texts.review.history.empty;
      const text = history.isOn ? none : texts.review.history.off;
      this.contentEl.createEl("p", { cls: "idewire-history-empty", text });
      return;
    }
    const list = this.contentEl.createEl("ul", { cls: "idewire-history-list" });
    let day = "";
    for (const record of records) {
      const on = formatDay(record.openedMs);
      if (on !== day) list.createEl("li", { cls: "idewire-history-day", text: on });
      day = on;
      this.#addRecord(list, record);
    }
    if (onlyUnreviewed) return;
    const footer = this.contentEl.createDiv({ cls: "modal-button-container" });
    addButton(footer, { text: texts.review.history.clear, onclick: () => history.clear() });
  }

  #addRecord(list: HTMLElement, record: ReviewRecord): void {
    const { history, show } = this.#parts;
    const name = showHiddenInLine(record.name);
    const item = list.createEl("li", { cls: `idewire-history-item is-${record.outcome}` });
    const open = item.createEl("button", {
      cls: "idewire-history-open",
      attr: { type: "button", "aria-label": `${texts.review.history.open}: ${name}` },
    });
    const outcome = texts.review.past[record.outcome];
    setIcon(
      open.createSpan({ cls: "idewire-icon", attr: { "aria-hidden": "true" } }),
      ICONS[record.outcome],
    );
    const about = open.createDiv({ cls: "idewire-history-about" });
    about.createDiv({ cls: "idewire-history-name", text: name });
    const when = formatTime(record.openedMs);
    about.createDiv({
      cls: "idewire-history-outcome",
      text: `${outcome} · ${record.agent} · ${when}`,
    });
    open.addEventListener("click", () => {
      this.close();
      show(record);
    });
    if (record.outcome === "waiting") return;
    const forget = () => history.remove(record.id);
    addIconButton(item, {
      icon: "trash-2",
      label: texts.review.history.forget,
      onclick: forget,
    });
  }
}
