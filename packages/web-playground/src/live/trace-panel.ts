import { type Signal, signal } from "@preact/signals";
import { readItem, saveItem } from "../state/storage.ts";
import type { PageViewState } from "../state/view-state.ts";

const KEY = "idewire.trace";

/** Whether the trace is open beside the editor; remembered for the next visit. */
const isTraceOpen: Signal<boolean> = signal(readItem(KEY) === "open");
isTraceOpen.subscribe((isOpen) => saveItem(KEY, isOpen ? "open" : "closed"));

/** Whether the trace is shown: it was opened, or one of its panes is active. */
export function isTraceShown({ pane }: PageViewState): boolean {
  return isTraceOpen.value || pane.value === "wire" || pane.value === "frame";
}

/** Opens the trace, or closes it. */
export function toggleTrace(view: PageViewState): void {
  isTraceOpen.value = !isTraceShown(view);
  if (!isTraceOpen.value) view.pane.value = "editor";
}
