import type { IndexedLog } from "./indexed-log.ts";

/** So far after an event its effects are looked for, and so many steps back its causes. */
const REACH = 200;

/** What the event brought about, oldest first: frames, and what either end did. */
export function effectsOf({ log }: IndexedLog, n: number): readonly number[] {
  const from = Math.max(0, n - log.dropped);
  return log.events
    .slice(from, from + REACH)
    .filter(({ by }) => by === n)
    .map((event) => event.n);
}

/** The chain that an event belongs to: its pair, what led to it, and what it led to. */
export function chainOf(indexed: IndexedLog, n: number | undefined): ReadonlySet<number> {
  const chain = new Set<number>();
  if (n === undefined) return chain;
  const pair = indexed.index.of(n)?.pair;
  if (pair !== undefined) chain.add(pair);
  let cause = indexed.log.at(n)?.by;
  while (cause !== undefined && !chain.has(cause) && chain.size < REACH) {
    chain.add(cause);
    cause = indexed.log.at(cause)?.by;
  }
  for (const effect of effectsOf(indexed, n)) chain.add(effect);
  return chain;
}
