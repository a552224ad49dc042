const TRY_EVERY_MS = 50;
const MAX_TRIES = 100;

/** Focuses an element that may have to be loaded and rendered first. */
export function focusWhenShown(selector: string, tries = MAX_TRIES): void {
  window.setTimeout(() => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element !== null) element.focus();
    else if (tries > 0) window.setTimeout(() => focusWhenShown(selector, tries - 1), TRY_EVERY_MS);
  });
}
