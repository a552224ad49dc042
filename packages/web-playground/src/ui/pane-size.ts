import { type Signal, signal } from "@preact/signals";
import { readItem, saveItem } from "../state/storage.ts";

/** A border between two panes, and the pane that it sizes. */
export interface SplitterProps {
  readonly axis: "x" | "y";
  /** The custom property that holds the size, in pixels. */
  readonly name: string;
  readonly label: string;
  /** The size in the style sheet, in pixels. */
  readonly start: number;
  /** Whether the sized pane comes after the border. */
  readonly end?: boolean;
}

const KEY = "idewire.panes";

/** The sizes that the person has chosen, in pixels; a collapsed pane has none. */
const chosen: Signal<Readonly<Record<string, number>>> = signal(readSizes());

/** The size of the pane of a border, in pixels: 0 while it is collapsed. */
export function sizeOf({ name, start }: Pick<SplitterProps, "name" | "start">): number {
  return Math.round(chosen.value[name] ?? start);
}

/** Sets the size of a pane; it is remembered for the next visit. */
export function resizePane(name: string, px: number): void {
  chosen.value = { ...chosen.value, [name]: Math.round(Math.max(0, Math.min(px, 1200))) };
  saveItem(KEY, JSON.stringify(chosen.value));
}

/** Collapses a pane, or opens it as at the start. */
export function togglePane(splitter: Pick<SplitterProps, "name" | "start">): void {
  resizePane(splitter.name, sizeOf(splitter) === 0 ? splitter.start : 0);
}

/** Applies the chosen size of a pane; until then it has that of the style sheet. A collapsed one has no focus. */
export function applySize(splitter: Pick<SplitterProps, "name">): void {
  const { style } = document.documentElement;
  const px = chosen.value[splitter.name];
  if (px === undefined) style.removeProperty(splitter.name);
  else style.setProperty(splitter.name, `${px}px`);
  document.documentElement.toggleAttribute(`data-no${splitter.name}`, px === 0);
}

function readSizes(): Record<string, number> {
  try {
    const sizes: unknown = JSON.parse(readItem(KEY) ?? "{}");
    return Object.fromEntries(
      Object.entries(sizes ?? {}).filter(([, px]) => Number.isFinite(px) && px >= 0 && px <= 1200),
    );
  } catch {
    return {};
  }
}
