import type { McpStore, SessionState, StoredSession } from "@idewire/core";
import { notTaken, Refused } from "../refused.ts";
import type { Admission } from "../request-head.ts";
import { mergeState } from "./merge-state.ts";

/** How often a change is tried again that others come before. */
const MAX_TRIES = 20;

export interface SharedSessionsOptions {
  readonly store: McpStore;
  readonly sessionIdleMs: number;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** A session that a request is of. */
export interface KnownSession {
  readonly id: string;
  readonly record: StoredSession;
  readonly state: SessionState;
}

type WithState = StoredSession & { readonly state: SessionState };

function hasState(record: StoredSession | undefined): record is WithState {
  return record?.state !== undefined;
}

/** The sessions of all instances, as they are stored. */
export class SharedSessions {
  readonly #options: SharedSessionsOptions;

  constructor(options: SharedSessionsOptions) {
    this.#options = options;
  }

  /** Stores a session that begins. */
  async begin(id: string, principal: string, state: SessionState): Promise<void> {
    const { store, sessionIdleMs } = this.#options;
    await this.reach(store.sessions.set(id, { principal, state }, sessionIdleMs));
  }

  /** Stores a session that lasts as long as its stream, and keeps its state there (HTTP+SSE). */
  async beginStream(
    id: string,
    { principal = "" }: Pick<Admission<unknown>, "principal">,
  ): Promise<void> {
    const { store, sessionIdleMs } = this.#options;
    await this.reach(store.sessions.set(id, { principal }, sessionIdleMs));
  }

  /** Whether a principal has such a session. */
  async hasStream(
    id: string,
    { principal = "" }: Pick<Admission<unknown>, "principal">,
  ): Promise<boolean> {
    const { store, sessionIdleMs } = this.#options;
    const record = await this.reach(store.sessions.get(id, sessionIdleMs));
    return record !== undefined && record.state === undefined && record.principal === principal;
  }

  /**
   * The session of an id, which then lasts longer; that of another principal is unknown.
   * @throws Refused when there is none, or the store cannot say
   */
  async find(
    id: string | undefined,
    { principal = "" }: Pick<Admission<unknown>, "principal">,
  ): Promise<KnownSession> {
    if (id === undefined) throw new Refused(400, "There is no session: send initialize first");
    const { store, sessionIdleMs } = this.#options;
    const record = await this.reach(store.sessions.get(id, sessionIdleMs));
    if (record?.state === undefined || record.principal !== principal) throw gone();
    return { id, record, state: record.state };
  }

  /** Stores what a request has made of a session; resolves to what has become of it. */
  save(known: KnownSession, mine: SessionState): Promise<KnownSession> {
    return this.#change(known, (stored) => ({
      ...stored,
      state: mergeState(known.state, mine, stored.state),
    }));
  }

  /** Stores that the client of a session has opened a stream; resolves to what has become of it. */
  async listens(known: KnownSession): Promise<KnownSession> {
    if (known.record.listens === true) return known;
    return this.#change(known, (stored) => ({ ...stored, listens: true }));
  }

  async end(id: string): Promise<void> {
    const { store } = this.#options;
    await this.reach(Promise.all([store.sessions.delete(id), store.events.delete(generalOf(id))]));
  }

  /** @throws Refused with 503 for what the store fails in */
  async reach<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      this.report(error);
      throw notTaken("The store of the sessions cannot be reached");
    }
  }

  report(error: unknown): void {
    this.#options.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  async #change(
    { id, record }: KnownSession,
    change: (stored: WithState) => WithState,
  ): Promise<KnownSession> {
    const { store, sessionIdleMs } = this.#options;
    let stored: StoredSession | undefined = record;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (!hasState(stored)) throw gone();
      const changed = change(stored);
      const isDone = store.sessions.replace(id, stored, changed, sessionIdleMs);
      if (await this.reach(isDone)) return { id, record: changed, state: changed.state };
      stored = await this.reach(store.sessions.get(id));
    }
    throw notTaken("Too many requests change this session at once");
  }
}

/** The stream of a session for what belongs to no request. */
export function generalOf(session: string): string {
  return `${session}:${GENERAL}`;
}

/** The name of that stream in the ids of its events. */
export const GENERAL = "g";

function gone(): Refused {
  return new Refused(404, "There is no such session: send initialize again");
}
