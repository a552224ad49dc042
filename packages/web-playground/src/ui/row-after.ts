/** The row that a key moves to from the row `at`; undefined for any other key. */
export function rowAfter(
  key: string,
  at: number,
  { count, page = 10 }: { readonly count: number; readonly page?: number },
): number | undefined {
  const row = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: count - 1,
    PageDown: at + page,
    PageUp: at - page,
  }[key];
  return row === undefined ? undefined : Math.max(0, Math.min(count - 1, row));
}
