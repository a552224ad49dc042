import type { PageContext } from "../state/page-context.ts";

/** Ctrl+K, or Cmd+K, opens the palette; it works from the first moment on, other keys come later. */
export function listenForPaletteKey({ view }: PageContext): () => void {
  const onkey = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    view.palette.value = !view.palette.value;
  };
  window.addEventListener("keydown", onkey);
  return () => window.removeEventListener("keydown", onkey);
}
