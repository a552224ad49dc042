/** What is being written, and below which comment. */
export interface OpenForm {
  readonly element: HTMLElement;
  readonly below?: string | undefined;
}

/** Where the one form of the pane is: what is written in it stays while the pane is drawn anew. */
export class FormPlace {
  readonly #parent: HTMLElement;
  readonly #ondraw: () => void;
  readonly #onrefuse: () => void;
  #open: (OpenForm & { readonly onclose?: () => void }) | undefined;

  /** @param acts draws the pane anew; says that something is being written */
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

  /** @returns whether it is shown: not in place of one in which something is written */
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

  /** Closes it, and goes back to the comment that it belongs to. */
  close(): void {
    const below = this.#open?.below;
    this.drop();
    this.#ondraw();
    const item = this.#parent.querySelector(`[data-control="${below} place"]`);
    if (item instanceof HTMLElement) item.focus();
  }

  /** Ends it; the pane is drawn without it the next time. */
  drop(): void {
    this.#open?.onclose?.();
    this.#open = undefined;
  }
}
