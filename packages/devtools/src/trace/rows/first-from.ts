/** The index of the first row with the number `n` or a later one; the rows are in the order of their numbers. */
export function firstFrom(rows: readonly { readonly n: number }[], n: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.n ?? 0) < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
