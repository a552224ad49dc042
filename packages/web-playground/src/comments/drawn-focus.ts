/** Gives the focus to something that may not be drawn yet. */
export class DrawnFocus {
  #wanted: { readonly selector: string; readonly from: Element | null } | undefined;

  /** The element gets the focus once it is there, unless the person has taken it elsewhere by then. */
  moveTo(selector: string): void {
    this.#wanted = { selector, from: document.activeElement };
    window.setTimeout(() => this.drawn());
  }

  /** Whoever draws calls this when something was drawn. */
  drawn(): void {
    if (this.#wanted === undefined) return;
    const { selector, from } = this.#wanted;
    const focused = document.activeElement;
    const isElsewhere = focused !== from && focused !== document.body;
    const element = isElsewhere ? null : document.querySelector<HTMLElement>(selector);
    if (element === null && !isElsewhere) return;
    this.#wanted = undefined;
    element?.focus();
  }
}
