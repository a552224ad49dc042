/** A count and its noun: `1 frame`, `2 frames`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
