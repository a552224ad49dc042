import type { EventLog } from "./event-log.ts";

const known = new WeakMap<EventLog, number>();

/** When a log began, in milliseconds since 1970; computed once, since two clocks differ slightly. */
export function startedAt(log: EventLog): number {
  const began = known.get(log) ?? Date.now() - log.nowMs;
  known.set(log, began);
  return began;
}
