import type { ComponentChildren } from "preact";

interface CellProps {
  /** The number of its column, from 1. */
  readonly at: number;
  readonly class?: string;
  /** The value with its unit, which is not displayed. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A cell of a row. */
export function Cell({ at, label, ...rest }: CellProps) {
  // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
  // biome-ignore lint/a11y/useSemanticElements: only some rows of the table are drawn
  return <span role="gridcell" aria-colindex={at} aria-label={label} {...rest} />;
}
