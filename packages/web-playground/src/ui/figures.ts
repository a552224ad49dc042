/** Milliseconds with the significant digits; in seconds from 100 s on. */
export function describeTime(ms: number): string {
  if (ms >= 100_000) return `${(ms / 1000).toFixed(0)} s`;
  return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}

/** A size in UTF-16 units, short enough for a column. */
export function describeSize(units: number): string {
  if (units < 10_000) return `${units}`;
  return units < 1_000_000 ? `${(units / 1000).toFixed(0)}k` : `${(units / 1_000_000).toFixed(1)}M`;
}

/** A count and its noun: `1 frame`, `2 frames`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
