/** Names and counts of what is held; see `page/leaks.ts`. */
export type Holdings = Readonly<Record<string, number | readonly string[]>>;

/** What is held now and was not before: empty if nothing leaked. */
export function difference(before: Holdings, now: Holdings): Record<string, unknown> {
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(now)) {
    const old = before[name];
    if (typeof value === "number") {
      if (value > Number(old)) left[name] = value - Number(old);
      continue;
    }
    const known = Array.isArray(old) ? [...(old as string[])] : [];
    const fresh = value.filter((each) => {
      const at = known.indexOf(each);
      if (at >= 0) known.splice(at, 1);
      return at < 0;
    });
    if (fresh.length > 0) left[name] = fresh;
  }
  return left;
}
