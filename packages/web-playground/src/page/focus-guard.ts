/**
 * If the focused element is removed or disabled, such as a pressed button, moves the focus to its pane, whose
 * name a screen reader announces.
 */
export function guardFocus(): void {
  let pane = document.activeElement?.closest<HTMLElement>("[data-pane]") ?? undefined;
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) pane = target.closest<HTMLElement>("[data-pane]") ?? pane;
  });
  const look = (): void => {
    if (document.activeElement !== document.body || pane?.isConnected !== true) return;
    pane.tabIndex = -1;
    pane.focus({ preventScroll: true });
  };
  // A button that is disabled loses the focus a little later.
  new MutationObserver(() => void window.requestAnimationFrame(look)).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled"],
  });
}
