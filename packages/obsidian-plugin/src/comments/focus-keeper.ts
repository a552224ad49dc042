/** Restores the focus after a list was rendered again, to the same control or the one in its place. */
export function focusKeeper(list: HTMLElement): () => void {
  const { activeElement } = list.doc;
  if (!(activeElement instanceof HTMLElement) || !list.contains(activeElement)) return () => {};
  const control = activeElement.dataset["control"];
  return () => {
    const again = control === undefined ? activeElement : findControl(list, control);
    if (again !== null && list.contains(again)) again.focus();
  };
}

function findControl(list: HTMLElement, control: string): HTMLElement | null {
  return list.querySelector(`[data-control="${CSS.escape(control)}"]`);
}
