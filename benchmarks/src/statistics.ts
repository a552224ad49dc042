/** The median of some figures, and their interquartile range. */
export interface Summary {
  readonly median: number;
  /** The distance between the first and the third quartile. */
  readonly iqr: number;
}

export function summarize(figures: readonly number[]): Summary {
  const sorted = [...figures].sort((left, right) => left - right);
  return { median: quantile(sorted, 0.5), iqr: quantile(sorted, 0.75) - quantile(sorted, 0.25) };
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
