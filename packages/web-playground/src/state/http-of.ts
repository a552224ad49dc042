import type { FrameFacts, HttpExchange } from "@idewire/devtools/internal";
import type { IndexedLog } from "./indexed-log.ts";

/** How far apart a frame and its HTTP request are searched for, in rows. */
const REACH = 50;

/** The HTTP request that carried a request, or that requested an answer; the last one, if it was sent again. */
export function exchangeOf({ index }: IndexedLog, facts: FrameFacts): HttpExchange | undefined {
  const isAnswer = facts.kind === "result" || facts.kind === "error";
  const request = isAnswer ? index.of(facts.pair ?? 0) : facts;
  if (request?.dir !== "agent>ide" || request.id === undefined) return undefined;
  const { ch, number, id } = request;
  let found: HttpExchange | undefined;
  for (let at = number + 1; at < number + REACH; at += 1) {
    const event = index.eventOf(at);
    if (event?.ev !== "http" || event.ch !== ch || event.carries?.length !== 1) continue;
    if (event.carries[0]?.id === id) found = index.http.of(event.n);
  }
  return found;
}

/** The requests that an HTTP request carries, as far as the log has them. */
export function framesOf(
  { index }: IndexedLog,
  { request: { n, ch, carries = [] } }: HttpExchange,
): readonly number[] {
  const last = index.numberOf(n);
  return carries.flatMap(({ id }) => {
    for (let at = last - 1; id !== undefined && at > last - REACH; at -= 1) {
      const facts = index.of(index.eventOf(at)?.n ?? 0);
      const isOf = facts?.ch === ch && facts.id === id && facts.dir === "agent>ide";
      if (facts !== undefined && isOf) return [facts.n];
    }
    return [];
  });
}
