import type { IndexedLog } from "./indexed-log.ts";

/** How many events after one are searched for its effects, and how many steps back for its causes. */
const REACH = 200;

/** The effects of an event, oldest first: frames, and actions of either end. */
export function effectsOf({ log }: IndexedLog, n: number): readonly number[] {
  const from = Math.max(0, n - log.dropped);
  return log.events
    .slice(from, from + REACH)
    .filter(({ by }) => by === n)
    .map((event) => event.n);
}

/** The chain of an event: its pair, its causes and its effects. */
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
