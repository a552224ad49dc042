import type { ReviewKey } from "@idewire/codemirror/internal/review-keys";
import { showHiddenInLine } from "@idewire/core/internal";
import { Platform } from "obsidian";
import { texts } from "../../texts/index.ts";
import { listReviewKeys, printReviewKey } from "../keys.ts";
import { addButton, addIconButton } from "./controls.ts";

/** A short fact about the proposal that the diff does not show. */
export interface Badge {
  readonly text: string;
  readonly isWarning?: boolean;
}

export interface ToolbarAction {
  readonly text: string;
  readonly icon?: string;
  readonly kind: "primary" | "plain" | "danger";
  readonly isOff?: boolean;
  readonly run: () => void;
}

export interface ToolbarContent {
  readonly title: string;
  readonly subtitle: string;
  readonly badges: readonly Badge[];
  /** "2 of 5"; undefined if there is only one. */
  readonly position: string | undefined;
  /** Describes how many hunks are left. */
  readonly status: string;
  /** Undefined where nothing can be changed. */
  readonly canUndo: boolean | undefined;
  /** Whether the keys of a review are listed. */
  readonly keys: boolean;
  readonly actions: readonly ToolbarAction[];
}

type Step = (which: "next" | "previous") => void;

export interface ToolbarEvents {
  readonly change: Step;
  readonly file: Step;
  readonly undo: () => void;
}

/** A description of the review, and the buttons that answer it. */
export class Toolbar {
  readonly #dom: HTMLElement;
  readonly #events: ToolbarEvents;
  #content = "";
  #actions: readonly ToolbarAction[] = [];

  constructor(parent: HTMLElement, events: ToolbarEvents) {
    this.#dom = parent.createDiv({ cls: "idewire-review-toolbar" });
    this.#events = events;
  }

  show(content: ToolbarContent): void {
    this.#actions = content.actions;
    // Redrawn only if it changes, so that the focus stays.
    const key = JSON.stringify(content);
    if (key === this.#content) return;
    const hasOldActions = this.#content !== "";
    this.#content = key;
    const focused = hasOldActions ? this.#focusedIndex() : -1;
    this.#dom.empty();
    this.#addAbout(content);
    this.#addChanges(content);
    this.#addActions(content);
    if (content.keys) this.#addKeys();
    this.#dom.findAll("button")[focused]?.focus();
  }

  /** Buttons are disabled for a moment after a review appears, in case of a second click. */
  setArmed(isArmed: boolean): void {
    this.#dom.toggleClass("is-unarmed", !isArmed);
    for (const [index, button] of this.#dom.findAll(".idewire-review-actions button").entries()) {
      (button as HTMLButtonElement).disabled = !isArmed || this.#actions[index]?.isOff === true;
    }
  }

  #focusedIndex(): number {
    return this.#dom.findAll("button").indexOf(this.#dom.doc.activeElement as HTMLElement);
  }

  #addAbout({ title, subtitle, badges, position }: ToolbarContent): void {
    const about = this.#dom.createDiv({ cls: "idewire-review-about" });
    const first = about.createDiv({ cls: "idewire-review-title" });
    const name = showHiddenInLine(title);
    first.createSpan({ cls: "idewire-review-name", text: name, attr: { title: name } });
    if (position !== undefined) this.#addQueue(first, position);
    const second = about.createDiv({ cls: "idewire-review-subtitle" });
    second.createSpan({ text: subtitle });
    for (const { text, isWarning } of badges) {
      second.createSpan({ cls: `idewire-badge${isWarning ? " is-warning" : ""}`, text });
    }
  }

  #addQueue(parent: HTMLElement, position: string): void {
    const queue = parent.createDiv({ cls: "idewire-review-queue" });
    this.#addStep(queue, "file", "previous", "chevron-left");
    queue.createSpan({ text: position });
    this.#addStep(queue, "file", "next", "chevron-right");
  }

  #addChanges({ status, canUndo }: ToolbarContent): void {
    const changes = this.#dom.createDiv({ cls: "idewire-review-changes" });
    changes.createSpan({ text: status, attr: { "aria-live": "polite" } });
    this.#addStep(changes, "change", "previous", "arrow-up");
    this.#addStep(changes, "change", "next", "arrow-down");
    if (canUndo === undefined) return;
    const label = this.#label(texts.review.undo, "undo");
    const onclick = () => this.#events.undo();
    addIconButton(changes, { icon: "undo-2", label, onclick }).disabled = !canUndo;
  }

  #addKeys(): void {
    const row = this.#dom.createDiv({ cls: "idewire-review-keys" });
    for (const { name, keys, does } of listReviewKeys(Platform.isMacOS)) {
      // Their opposites are beside them in the settings.
      if (name === "previous" || name === "redo") continue;
      const item = row.createSpan();
      item.createEl("kbd", { text: keys[0] ?? "" });
      item.createSpan({ text: ` ${does}` });
    }
  }

  #label(text: string, key: ReviewKey): string {
    return `${text} (${printReviewKey(key, Platform.isMacOS)})`;
  }

  #addStep(
    parent: HTMLElement,
    of: "change" | "file",
    which: "next" | "previous",
    icon: string,
  ): void {
    const onclick = () => this.#events[of](which);
    const text = texts.review[of][which];
    const label = of === "change" ? this.#label(text, which) : text;
    addIconButton(parent, { icon, label, onclick });
  }

  #addActions({ actions }: ToolbarContent): void {
    const row = this.#dom.createDiv({ cls: "idewire-review-actions" });
    const classes = { primary: "mod-cta", plain: "", danger: "idewire-danger" };
    for (const [index, { text, icon, kind }] of actions.entries()) {
      addButton(row, {
        text,
        ...(icon !== undefined && { icon }),
        ...(classes[kind] !== "" && { cls: classes[kind] }),
        onclick: () => this.#actions[index]?.run(),
      });
    }
  }
}
