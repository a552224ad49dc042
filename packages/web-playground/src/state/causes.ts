import type { EventLog, FrameIndex } from "@idewire/devtools/trace";

/** So far after an event its effects are looked for, and so many steps back its causes. */
const REACH = 200;

/** The log and the index of its frames, in which links are looked for. */
interface Linked {
  readonly index: FrameIndex;
  readonly log: EventLog;
}

/** What the event brought about, oldest first: frames, and what either end did. */
export function effectsOf({ log }: Linked, n: number): readonly number[] {
  const from = Math.max(0, n - log.dropped);
  return log.events
    .slice(from, from + REACH)
    .filter(({ by }) => by === n)
    .map((event) => event.n);
}

/** The chain that an event belongs to: its pair, what led to it, and what it led to. */
export function chainOf(linked: Linked, n: number | undefined): ReadonlySet<number> {
  const chain = new Set<number>();
  if (n === undefined) return chain;
  const pair = linked.index.of(n)?.pair;
  if (pair !== undefined) chain.add(pair);
  let cause = linked.log.at(n)?.by;
  while (cause !== undefined && !chain.has(cause) && chain.size < REACH) {
    chain.add(cause);
    cause = linked.log.at(cause)?.by;
  }
  for (const effect of effectsOf(linked, n)) chain.add(effect);
  return chain;
}
