/** Moves the focus to an element that may not be rendered yet. */
export class DeferredFocus {
  #wanted: { readonly selector: string; readonly from: Element | null } | undefined;

  /** Focuses the element once it exists, unless the person has moved the focus by then. */
  moveTo(selector: string): void {
    this.#wanted = { selector, from: document.activeElement };
    window.setTimeout(() => this.drawn());
  }

  /** Call after rendering. */
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
