import type { NumberedRows } from "@idewire/devtools/internal";

/** One row: the number of its event. */
export interface ListedEvent {
  readonly n: number;
}

/** Rows in the order of their numbers; the list may grow behind them, so that none is copied. */
export interface Rows<Row extends ListedEvent> {
  readonly list: readonly Row[];
  /** How many of the list are shown, from its start. */
  readonly length: number;
}

/** Rows up to the cursor, and their source. */
export interface ShownRows extends Rows<ListedEvent> {
  /** All rows, whatever the cursor; the same object until log or filter change. */
  readonly source: NumberedRows;
}
