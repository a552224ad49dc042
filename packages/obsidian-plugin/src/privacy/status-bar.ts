import { setIcon, setTooltip } from "obsidian";
import type { SharingState } from "./sharing-state.ts";

export interface StatusBarParts {
  readonly element: HTMLElement;
  readonly state: () => SharingState;
  readonly openMenu: (event: MouseEvent | KeyboardEvent) => void;
  /** Called when notes are dropped on it. */
  readonly drop: (text: string) => void;
}

/** The status bar item: the connected agents and the shared state. */
export class StatusBar {
  readonly #parts: StatusBarParts;
  readonly #icon: HTMLElement;
  readonly #label: HTMLElement;
  #shown: SharingState | undefined;

  constructor(parts: StatusBarParts) {
    const { element } = parts;
    this.#parts = parts;
    element.addClass("idewire-status", "mod-clickable");
    element.setAttrs({ role: "button", tabindex: "0", "aria-haspopup": "menu" });
    this.#icon = element.createSpan({ cls: ["idewire-status-icon", "status-bar-item-icon"] });
    this.#label = element.createSpan();
    this.#listen();
    this.update();
  }

  update(): void {
    const state = this.#parts.state();
    const { element } = this.#parts;
    if (state.icon !== this.#shown?.icon) setIcon(this.#icon, state.icon);
    if (state.label !== this.#shown?.label) this.#label.setText(state.label);
    if (state.tooltip !== this.#shown?.tooltip) {
      setTooltip(element, state.tooltip, { placement: "top" });
    }
    element.dataset["state"] = state.kind;
    this.#shown = state;
  }

  #listen(): void {
    const { element, openMenu, drop } = this.#parts;
    element.addEventListener("click", openMenu);
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") openMenu(event);
    });
    element.addEventListener("dragover", (event) => {
      event.preventDefault();
      element.addClass("idewire-drop");
    });
    element.addEventListener("dragleave", () => element.removeClass("idewire-drop"));
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      element.removeClass("idewire-drop");
      drop(event.dataTransfer?.getData("text/plain") ?? "");
    });
  }
}
