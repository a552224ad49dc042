import { setIcon } from "obsidian";
import { addButton } from "./controls.ts";

/** A message above a diff, possibly with actions. */
export interface BannerContent {
  readonly kind: "info" | "warning";
  readonly text: string;
  readonly actions?: readonly { readonly text: string; readonly run: () => void }[];
}

/** Shows banners above a diff, in order; redraws only if they change. */
export class Banners {
  readonly #dom: HTMLElement;
  #shown = "";

  constructor(parent: HTMLElement) {
    this.#dom = parent.createDiv({ cls: "idewire-banners" });
  }

  show(banners: readonly BannerContent[]): void {
    const key = JSON.stringify(banners);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#dom.empty();
    for (const banner of banners) this.#add(banner);
  }

  #add({ kind, text, actions = [] }: BannerContent): void {
    const banner = this.#dom.createDiv({
      cls: `idewire-banner is-${kind}`,
      attr: { role: kind === "warning" ? "alert" : "status" },
    });
    setIcon(
      banner.createSpan({ cls: "idewire-icon" }),
      kind === "warning" ? "alert-triangle" : "info",
    );
    banner.createSpan({ cls: "idewire-banner-text", text });
    for (const { text: label, run } of actions) addButton(banner, { text: label, onclick: run });
  }
}
