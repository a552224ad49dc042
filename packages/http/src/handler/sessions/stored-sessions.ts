import type { RequestId } from "@idewire/core/internal";
import {
  describeValue,
  type SessionState,
  type SessionTimes,
  type SessionUse,
  type StoredSession,
  type UsedSession,
} from "@idewire/core/internal";
import type { McpStore } from "@idewire/core/server";
import type { HttpLimits } from "../http-limits.ts";
import { HttpRefusal, notTaken } from "../http-refusal.ts";
import type { Admission } from "../request-head.ts";
import { mergeState } from "./merge-state.ts";
import { Unreleased } from "./unreleased.ts";

/** How often a change is retried after concurrent changes. */
const MAX_TRIES = 20;
/** The size limit of a session, in UTF-16 units of JSON. */
const MAX_SIZE = 1 << 18;
/** A batch with more requests is refused as a whole when it runs. */
const MAX_CALLS = 256;
/** How long after its answer a call may still count as in flight in the store. */
const RELEASING_MS = 50;

export interface StoredSessionsOptions {
  readonly store: McpStore;
  /** The lease of this instance. */
  readonly holder: () => string;
  readonly limits: Pick<HttpLimits, "maxSessions" | "sessionIdleMs" | "keepAliveMs">;
  readonly onerror?: ((error: Error) => void) | undefined;
  /** Whether a client is subscribed from the beginning of its session on. */
  readonly listens?: boolean;
}

/** The session of a request. */
export interface KnownSession {
  readonly id: string;
  readonly record: StoredSession;
  readonly state: SessionState;
  /** The calls of the request, which are in flight. */
  readonly calls: readonly RequestId[];
}

/** The effects of a request on a session. */
interface Opened {
  /** The requests to be answered. */
  readonly ids?: readonly RequestId[];
  readonly isStream?: boolean;
}

type WithState = StoredSession & { readonly state: SessionState };
type Principal = Pick<Admission<unknown>, "principal">;

function hasState(record: StoredSession | undefined): record is WithState {
  return record?.state !== undefined;
}

/** The stored sessions of all instances. */
export class StoredSessions {
  readonly #options: StoredSessionsOptions;
  readonly #unreleased: Unreleased;

  constructor(options: StoredSessionsOptions) {
    this.#options = options;
    this.#unreleased = new Unreleased(options.store.sessions, (error) => this.report(error));
  }

  /**
   * Stores a new session; resolves to the ids of the sessions that it has ended.
   * @param state undefined if its connection keeps the state, for as long as a stream lasts (HTTP+SSE)
   * @throws HttpRefusal when there are too many
   */
  async begin(
    id: string,
    { principal = "" }: Principal,
    state?: SessionState,
  ): Promise<readonly string[]> {
    const { store, limits, listens = false } = this.#options;
    const session = {
      principal,
      ...(state !== undefined && { state }),
      ...(state !== undefined && listens && { listens }),
    };
    const times = this.#times(state === undefined);
    const begun = store.sessions.begin(id, session, { ...times, maxSessions: limits.maxSessions });
    const ended = await this.reach(begun);
    if (ended === undefined) throw notTaken("Too many sessions; end one");
    for (const old of ended) {
      store.events.delete(generalOf(old)).catch((error: unknown) => this.report(error));
    }
    return ended;
  }

  /** Whether a principal has a session whose connection keeps its state. */
  async hasStream(id: string, { principal = "" }: Principal): Promise<boolean> {
    const use = { ...this.#times(true), principal };
    const used = await this.reach(this.#options.store.sessions.use(id, use));
    return used !== undefined && used.session.state === undefined;
  }

  /**
   * The session with an id, whose lifetime is extended; those of other principals count as unknown. The request
   * keeps it in use; its calls are in flight until they are released.
   * @throws HttpRefusal when there is none, when one of the calls is in flight already, or when the store is
   * unreachable
   */
  async find(
    id: string | undefined,
    { principal = "" }: Principal,
    { ids = [], isStream = false }: Opened = {},
  ): Promise<KnownSession> {
    if (id === undefined) throw new HttpRefusal(400, "There is no session: send initialize first");
    const holder = this.#options.holder();
    const calls = ids.length > MAX_CALLS ? [] : ids;
    const { ttlMs, busyMs } = this.#times(isStream || calls.length > 0);
    const use = { ttlMs, busyMs, principal, calls, holder };
    let used = await this.#use(id, use);
    if (used?.twice !== undefined) {
      this.retry();
      await new Promise<void>((resolve) => setTimeout(resolve, RELEASING_MS));
      used = await this.#use(id, use);
    }
    if (used?.twice !== undefined) {
      const seen = describeValue(used.twice);
      throw new HttpRefusal(400, `Invalid Request: id ${seen} is still in use`);
    }
    if (used === undefined || !hasState(used.session)) throw gone();
    return { id, record: used.session, state: used.session.state, calls };
  }

  /** Whether a session with an id exists, of any principal. */
  async isThere(id: string): Promise<boolean> {
    return (await this.reach(this.#options.store.sessions.get(id))) !== undefined;
  }

  /** Renews a session in use here; returns whether it exists. */
  async stays(id: string, isBusy: boolean): Promise<boolean> {
    const { sessions } = this.#options.store;
    const found = isBusy ? sessions.use(id, this.#times(true)) : sessions.get(id);
    return (await found) !== undefined;
  }

  /** Ends the calls of a request. */
  release({ id, calls }: Pick<KnownSession, "id" | "calls">): void {
    this.#unreleased.release(id, calls);
  }

  /** Retries updates that the store did not accept before. */
  retry(): void {
    this.#unreleased.retry();
  }

  /** Stores the state of a session after a request, and ends the request's calls; resolves to the merged session. */
  save(known: KnownSession, mine: SessionState): Promise<KnownSession> {
    return this.#change(known, (stored) => ({
      ...stored,
      state: mergeState(known.state, mine, stored.state),
    }));
  }

  /** Stores that the client of a session has opened a stream; resolves to the merged session. */
  async listens(known: KnownSession): Promise<KnownSession> {
    if (known.record.listens === true) return known;
    return this.#change(known, (stored) => ({ ...stored, listens: true }));
  }

  async end(id: string): Promise<void> {
    const { store } = this.#options;
    await this.reach(Promise.all([store.sessions.delete(id), store.events.delete(generalOf(id))]));
  }

  /** @throws HttpRefusal with 503 when the store fails */
  async reach<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      if (error instanceof HttpRefusal) throw error;
      this.report(error);
      throw notTaken("The store of the sessions cannot be reached");
    }
  }

  report(error: unknown): void {
    this.#options.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  async #use(id: string, use: SessionUse): Promise<UsedSession | undefined> {
    try {
      return await this.reach(this.#options.store.sessions.use(id, use));
    } catch (error) {
      // It may have taken effect all the same.
      this.#unreleased.add(id, use.calls ?? []);
      throw error;
    }
  }

  /** How long a session is kept, and how long it counts as in use without a renewal. */
  #times(isBusy: boolean): Required<SessionTimes> {
    const { sessionIdleMs, keepAliveMs } = this.#options.limits;
    return {
      ttlMs: sessionIdleMs,
      busyMs: isBusy ? Math.min(2 * keepAliveMs, sessionIdleMs) : 0,
    };
  }

  async #change(
    { id, record, calls }: KnownSession,
    change: (stored: WithState) => WithState,
  ): Promise<KnownSession> {
    const { store, limits } = this.#options;
    let stored: StoredSession | undefined = record;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (!hasState(stored)) throw gone();
      const session = change(stored);
      refuseLarge(session);
      const changed = { before: stored, session, ttlMs: limits.sessionIdleMs, calls };
      const isDone = store.sessions.replace(id, changed);
      if (await this.reach(isDone)) return { id, record: session, state: session.state, calls: [] };
      stored = await this.reach(store.sessions.get(id));
    }
    throw notTaken("Too many requests change this session at once");
  }
}

/** The stream of a session for messages that belong to no request. */
export function generalOf(session: string): string {
  return `${session}:${GENERAL}`;
}

/** The name of that stream in the ids of its events. */
export const GENERAL = "g";

function gone(): HttpRefusal {
  return new HttpRefusal(404, "There is no such session: send initialize again");
}

function refuseLarge(session: StoredSession): void {
  const size = JSON.stringify(session).length;
  if (size <= MAX_SIZE) return;
  const text = `This session would take ${size} characters, at most ${MAX_SIZE} are kept`;
  throw new HttpRefusal(413, `${text}: end some subscriptions`);
}
