/** The open form, and the comment that it belongs to. */
export interface OpenForm {
  readonly element: HTMLElement;
  readonly below?: string | undefined;
}

/** The one form of the pane, whose content is kept when the pane is rendered again. */
export class FormPlace {
  readonly #parent: HTMLElement;
  readonly #ondraw: () => void;
  readonly #onrefuse: () => void;
  #open: (OpenForm & { readonly onclose?: () => void }) | undefined;

  /** @param acts renders the pane again; notifies that a form is unfinished */
  constructor(
    parent: HTMLElement,
    acts: { readonly ondraw: () => void; readonly onrefuse: () => void },
  ) {
    this.#parent = parent;
    this.#ondraw = acts.ondraw;
    this.#onrefuse = acts.onrefuse;
  }

  get open(): OpenForm | undefined {
    return this.#open;
  }

  /** @returns whether it is shown: it never replaces an unfinished form */
  show(
    place: { readonly below?: string; readonly onclose?: () => void },
    create: (parent: HTMLElement) => HTMLElement,
  ): boolean {
    const written = this.#open?.element.querySelector("textarea");
    if (written && written.value.trim() !== written.defaultValue.trim()) {
      this.#onrefuse();
      written.focus();
      return false;
    }
    this.#open?.element.remove();
    this.drop();
    const element = create(this.#parent);
    this.#open = { ...place, element };
    this.#ondraw();
    element.querySelector("textarea")?.focus();
    return true;
  }

  /** Closes it and focuses the comment that it belongs to. */
  close(): void {
    const below = this.#open?.below;
    this.drop();
    this.#ondraw();
    const item = this.#parent.querySelector(`[data-control="${below} place"]`);
    if (item instanceof HTMLElement) item.focus();
  }

  /** Discards it; the pane is rendered without it the next time. */
  drop(): void {
    this.#open?.onclose?.();
    this.#open = undefined;
  }
}
