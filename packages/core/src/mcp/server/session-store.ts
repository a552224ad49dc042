import type { RequestId } from "../../rpc/message.ts";
import type { SessionState } from "./server-connection.ts";

/** A legacy session. */
export interface StoredSession {
  /** Undefined if its connection keeps the state. */
  readonly state?: SessionState;
  /** The principal that began it; no other may continue it. */
  readonly principal?: string;
  /** Whether its client has opened a stream for messages that belong to no request. */
  readonly listens?: boolean;
}

/** The sessions of all instances, by id, and the calls that are in flight in each. */
export interface SessionStore {
  /**
   * Stores a new session. At the limit it replaces the least recently used one: of its own principal, unless that
   * is in use, or of the principal that has most, if that has more. Resolves to the ids of the replaced sessions;
   * to undefined, having stored nothing, if there is none to replace.
   */
  begin(
    id: string,
    session: StoredSession,
    options: BeginOptions,
  ): Promise<readonly string[] | undefined>;
  /** Undefined if there is none, or it has expired. */
  get(id: string): Promise<StoredSession | undefined>;
  /**
   * Uses a session, and keeps it for the given time from now on. Its calls are in flight until they are released,
   * or their holder's lease ends; if one of them is in flight already, none is added. Resolves to undefined,
   * having done nothing, if the principal has no such session.
   */
  use(id: string, use: SessionUse): Promise<UsedSession | undefined>;
  /**
   * Replaces a session if it still has the expected value; resolves to whether it had. The calls of the change are
   * released in any case.
   */
  replace(id: string, change: SessionChange): Promise<boolean>;
  /** Releases calls, which are then no longer in flight. */
  release(id: string, calls: readonly RequestId[]): Promise<void>;
  /** Resolves to whether it existed. */
  delete(id: string): Promise<boolean>;
}

/** The lifetime of a session, in milliseconds from now on. */
export interface SessionTimes {
  /** How long it is kept. */
  readonly ttlMs: number;
  /** How long it counts as in use, if longer than set before; 0 by default, at most `ttlMs`. */
  readonly busyMs?: number;
}

export interface BeginOptions extends SessionTimes {
  /** The limit of sessions. */
  readonly maxSessions: number;
}

/** The use of a session by a request. */
export interface SessionUse extends SessionTimes {
  /** The principal that the session must have; any if undefined. */
  readonly principal?: string;
  /** The requests to mark as in flight; none by default. */
  readonly calls?: readonly RequestId[];
  /** The lease of the instance that runs them. */
  readonly holder?: string;
}

export interface UsedSession {
  readonly session: StoredSession;
  /** The first of the calls that is in flight already; undefined when none is. */
  readonly twice: RequestId | undefined;
}

export interface SessionChange {
  /** As {@link SessionStore.get} or {@link SessionStore.use} has returned it, or as it was set. */
  readonly before: StoredSession;
  readonly session: StoredSession;
  readonly ttlMs: number;
  readonly calls?: readonly RequestId[];
}
