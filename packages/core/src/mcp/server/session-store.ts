import type { RequestId } from "../../rpc/message.ts";
import type { SessionState } from "./server-connection.ts";

/** A legacy session. */
export interface StoredSession {
  /** Undefined where its connection keeps it. */
  readonly state?: SessionState;
  /** Who began it; nobody else may continue it. */
  readonly principal?: string;
  /** Whether its client has opened a stream for what belongs to no request. */
  readonly listens?: boolean;
}

/** The sessions of all instances, by id, and the calls that are in flight in each. */
export interface SessionStore {
  /**
   * Stores a session that begins. Where there are as many as may be, it takes the place of the one that was
   * unused for longest: of its own principal's, unless it is in use, or of those of the principal that has most, if
   * that has more. Resolves to the ids of those that it has ended, and to undefined, having stored
   * nothing, when there is none.
   */
  begin(
    id: string,
    session: StoredSession,
    options: BeginOptions,
  ): Promise<readonly string[] | undefined>;
  /** Undefined when there is none, or no longer. */
  get(id: string): Promise<StoredSession | undefined>;
  /**
   * Uses a session, which is kept from now on for the time that is given. Its calls are in flight until
   * they are released, or their holder's lease ends; where one of them is in flight already, none of them
   * is by this. Resolves to undefined, having done nothing, when the principal has no such session.
   */
  use(id: string, use: SessionUse): Promise<UsedSession | undefined>;
  /**
   * Puts a session in place of another, unless that is no longer there; resolves to whether it was. The
   * calls of the change are released in any case.
   */
  replace(id: string, change: SessionChange): Promise<boolean>;
  /** Ends calls, which are no longer in flight. */
  release(id: string, calls: readonly RequestId[]): Promise<void>;
  /** Resolves to whether there was one. */
  delete(id: string): Promise<boolean>;
}

/** How long something of a session lasts, in milliseconds from now on. */
export interface SessionTimes {
  /** How long it is kept. */
  readonly ttlMs: number;
  /**
   * How long it counts as in use, if that is longer than was said before; 0 by default, and no more than
   * `ttlMs`.
   */
  readonly busyMs?: number;
}

export interface BeginOptions extends SessionTimes {
  /** How many sessions there may be. */
  readonly maxSessions: number;
}

/** What a request makes of a session. */
export interface SessionUse extends SessionTimes {
  /** Whose session it has to be; anybody's when undefined. */
  readonly principal?: string;
  /** The requests that are to be in flight; none by default. */
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
