/** A border between two panes, and the pane that it sizes. */
export interface SplitterProps {
  readonly axis: "x" | "y";
  /** The custom property that holds the size, in pixels. */
  readonly name: string;
  readonly label: string;
  readonly start: number;
  /** Whether the sized pane comes after the border. */
  readonly end?: boolean;
}

/** @param px the size of the pane in pixels */
export function resizePane(name: string, px: number): void {
  document.documentElement.style.setProperty(name, `${Math.round(px)}px`);
}
