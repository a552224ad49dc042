import type { NumberedRows } from "@idewire/devtools/trace";

/** One row: the number of its event. */
export interface ListedEvent {
  readonly n: number;
}

/** Rows in the order of their numbers; the list may grow behind them, so that none is copied. */
export interface Rows<Row extends ListedEvent> {
  readonly list: readonly Row[];
  /** So many of the list are shown. */
  readonly length: number;
}

/** Rows up to the cursor, with where they come from. */
export interface ShownRows extends Rows<ListedEvent> {
  /** All, whatever the cursor; the same object for as long as the same is asked for. */
  readonly source: NumberedRows;
}
