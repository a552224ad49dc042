import { type RecordedSession, readSessions } from "@idewire/devtools/trace";
import { type Signal, signal } from "@preact/signals";
import type { IndexedLog } from "../state/indexed-log.ts";

/** A session that can be compared, and its source. */
export interface OfferedSession {
  /** Unique among those offered. */
  readonly id: string;
  readonly label: string;
  readonly session: RecordedSession;
  /** The log of the session. */
  readonly of: IndexedLog;
}

/** A trace opened for comparison. */
export interface OpenedTrace {
  readonly name: string;
  readonly recorded: IndexedLog;
}

/** The traces opened for comparison, newest last; lost when the page is closed. */
export const openedTraces: Signal<readonly OpenedTrace[]> = signal([]);
/** The ids of the selected sessions; undefined before a selection. */
export const chosenIds: Signal<{ readonly a?: string; readonly b?: string }> = signal({});

/** The sessions of the page's own log and of every opened trace. */
export function offerSessions(own: IndexedLog): readonly OfferedSession[] {
  const traces = [{ name: "This trace", recorded: own }, ...openedTraces.value];
  return traces.flatMap(({ name, recorded }, at) =>
    readSessions(recorded.log.events).map((session): OfferedSession => {
      const { ch, agent = "an agent", ide = "an editor" } = session;
      const label = `${name}, ${ch}: ${agent} with ${ide}`;
      return { id: `${at} ${ch}`, label, session, of: recorded };
    }),
  );
}

/** The compared sessions: as selected, or this trace and the trace opened last, or two of its connections. */
export function choosePair(offered: readonly OfferedSession[], own: IndexedLog) {
  const { a: idA, b: idB } = chosenIds.value;
  const first = offered.filter(({ of }) => of === own);
  const last = openedTraces.value.at(-1)?.recorded;
  const others = last === undefined ? first.slice(1) : offered.filter(({ of }) => of === last);
  const byId = (id: string | undefined) => offered.find((one) => one.id === id);
  return { a: byId(idA) ?? begun(first), b: byId(idB) ?? begun(others) };
}

/** The first one with a handshake. */
function begun(sessions: readonly OfferedSession[]): OfferedSession | undefined {
  return sessions.find(({ session }) => session.handshake.answer !== undefined) ?? sessions[0];
}
