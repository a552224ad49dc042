/** Share of tokens that two texts have in common, 0 to 1. */
export function overlap(a: string, b: string): number {
  const left = a.split(" ");
  const right = b.split(" ");
  const counts = new Map<string, number>();
  for (const token of left) counts.set(token, (counts.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of right) {
    const rest = counts.get(token) ?? 0;
    if (rest > 0) common++;
    counts.set(token, rest - 1);
  }
  return (2 * common) / (left.length + right.length);
}
