import type { PageModel } from "./page-model.ts";

/**
 * Shows the moment of a row of the page's log; the newest row, or one past it, follows new events.
 */
export function moveTo({ own, cursor }: PageModel, number: number): void {
  const next = own.index.eventOf(Math.max(1, number) + 1);
  cursor.value = next === undefined ? undefined : next.n - 1;
}

/** The number of the row whose moment is shown. */
export function shownNumberOf({ own: { index, log }, cursor }: PageModel): number {
  return index.numberOf(cursor.value ?? log.last);
}
