import type { RequestId } from "../../rpc/message.ts";
import { Expiring } from "./expiring.ts";
import type {
  BeginOptions,
  SessionChange,
  SessionStore,
  SessionUse,
  StoredSession,
  UsedSession,
} from "./session-store.ts";
import { findSurplus } from "./shares.ts";
import type { LeaseStore } from "./store.ts";

interface Kept {
  /** As JSON, and as a frozen value: readers get a copy of its first level. */
  text: string;
  session: StoredSession;
  /** Until when it must not be replaced; if in the past, when it was last used. */
  busyUntilMs: number;
  /** The calls in flight, and their holders; undefined before the first. */
  calls: Map<RequestId, string> | undefined;
}

/** Sessions within one process. */
export class MemorySessions implements SessionStore {
  readonly #sessions: Expiring<Kept>;
  readonly #leases: LeaseStore;

  constructor(now: () => number, leases: LeaseStore) {
    this.#sessions = new Expiring(now);
    this.#leases = leases;
  }

  async begin(
    id: string,
    session: StoredSession,
    { maxSessions, ttlMs, busyMs = 0 }: BeginOptions,
  ): Promise<readonly string[] | undefined> {
    const nowMs = this.#sessions.now();
    const ended = this.#surplus(session.principal, maxSessions);
    if (ended === undefined) return undefined;
    for (const old of ended) this.#sessions.delete(old);
    const kept = { ...toKept(session), busyUntilMs: nowMs + busyMs, calls: undefined };
    this.#sessions.set(id, kept, ttlMs);
    return ended;
  }

  async get(id: string): Promise<StoredSession | undefined> {
    const kept = this.#sessions.get(id);
    return kept && { ...kept.session };
  }

  async use(
    id: string,
    { ttlMs, busyMs = 0, principal, calls = [], holder = "" }: SessionUse,
  ): Promise<UsedSession | undefined> {
    const kept = this.#sessions.get(id);
    if (kept === undefined) return undefined;
    const session = { ...kept.session };
    if (principal !== undefined && principal !== session.principal) return undefined;
    kept.busyUntilMs = Math.max(kept.busyUntilMs, this.#sessions.now() + busyMs);
    this.#sessions.set(id, kept, ttlMs);
    if (calls.length === 0) return { session, twice: undefined };
    kept.calls ??= new Map();
    const inFlight = kept.calls;
    for (const call of calls) {
      if (inFlight.has(call)) await this.#forgetLost(inFlight, call);
    }
    const twice = calls.find((call) => inFlight.has(call));
    if (twice === undefined) for (const call of calls) inFlight.set(call, holder);
    return { session, twice };
  }

  async replace(
    id: string,
    { before, session, ttlMs, calls = [] }: SessionChange,
  ): Promise<boolean> {
    const kept = this.#sessions.get(id);
    for (const call of calls) kept?.calls?.delete(call);
    if (kept?.text !== JSON.stringify(before)) return false;
    Object.assign(kept, toKept(session));
    this.#sessions.set(id, kept, ttlMs);
    return true;
  }

  async release(id: string, calls: readonly RequestId[]): Promise<void> {
    const kept = this.#sessions.get(id);
    for (const call of calls) kept?.calls?.delete(call);
  }

  async delete(id: string): Promise<boolean> {
    return this.#sessions.delete(id);
  }

  /** The sessions that another one of a principal may replace; undefined if there are not enough. */
  #surplus(principal: string | undefined, maxSessions: number): readonly string[] | undefined {
    if (this.#sessions.size < maxSessions) return [];
    const nowMs = this.#sessions.now();
    const holdings = this.#sessions
      .entries()
      .map(([id, { busyUntilMs, session }]) => ({
        ...{ id, busyUntilMs, principal: session.principal },
        ...{ amount: 1, isBusy: busyUntilMs > nowMs },
      }))
      .sort((one, two) => one.busyUntilMs - two.busyUntilMs);
    return findSurplus(holdings, { principal, amount: 1 }, maxSessions)?.map(({ id }) => id);
  }

  /** Removes a call whose holder is gone. */
  async #forgetLost(calls: Map<RequestId, string>, call: RequestId): Promise<void> {
    const holder = calls.get(call);
    if (holder === undefined || (await this.#leases.isHeld(holder))) return;
    if (calls.get(call) === holder) calls.delete(call);
  }
}

function toKept(session: StoredSession): Pick<Kept, "text" | "session"> {
  const text = JSON.stringify(session);
  return { text, session: frozen(JSON.parse(text)) as StoredSession };
}

function frozen(value: unknown): unknown {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
