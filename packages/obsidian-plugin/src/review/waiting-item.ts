import { setIcon, setTooltip } from "obsidian";
import { texts } from "../texts/index.ts";
import type { Reviews } from "./index.ts";

type Pending = Pick<Reviews, "pending" | "showNext">;

/** The status bar item that counts the pending reviews and leads to the next; hidden if there are none. */
export class WaitingItem {
  readonly #element: HTMLElement;
  readonly #label: HTMLElement;
  readonly #reviews: Pending;

  constructor(element: HTMLElement, reviews: Pending) {
    this.#element = element;
    this.#reviews = reviews;
    element.addClass("idewire-waiting", "mod-clickable");
    element.setAttrs({ role: "button", tabindex: "0" });
    setIcon(element.createSpan({ cls: "status-bar-item-icon" }), "file-diff");
    this.#label = element.createSpan();
    setTooltip(element, texts.review.waitingTip, { placement: "top" });
    element.addEventListener("click", () => reviews.showNext());
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") reviews.showNext();
    });
    this.update();
  }

  update(): void {
    const { length } = this.#reviews.pending;
    this.#label.setText(length === 0 ? "" : texts.review.waiting(length));
    this.#element.toggle(length > 0);
  }
}
