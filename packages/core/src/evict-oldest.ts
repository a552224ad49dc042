/** Keeps a collection within a limit: removes the entry that was added first, if there is one too many. */
export function evictOldest<Key>(entries: Map<Key, unknown> | Set<Key>, max: number): void {
  const [oldest] = entries.keys();
  if (entries.size > max && oldest !== undefined) entries.delete(oldest);
}
