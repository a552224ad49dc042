import { randomUUID } from "node:crypto";
import type { SessionState } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";
import type { ConnectOptions, McpServer } from "@idewire/core/server";
import type { HttpLimits } from "./http-limits.ts";
import { HttpSession } from "./http-session.ts";
import { Refused } from "./refused.ts";
import type { Admission } from "./request-head.ts";

export interface HttpSessionsOptions<Context> {
  readonly server: McpServer<Context>;
  readonly limits: Pick<HttpLimits, "maxSessions" | "sessionIdleMs">;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** What one session may make us hold: its requests that wait, and what it has not read. */
export function peerOptionsOf({
  onerror,
}: Pick<HttpSessionsOptions<unknown>, "onerror">): ConnectOptions<unknown>["peer"] & object {
  const modest = { maxRunningSize: 1 << 23, maxBuffered: 1 << 22 };
  return { ...modest, ...(onerror !== undefined && { onerror }) };
}

/** The sessions of an endpoint, by their ids. */
export class HttpSessions<Context> {
  readonly #options: HttpSessionsOptions<Context>;
  readonly #sessions = new Map<string, HttpSession>();

  constructor(options: HttpSessionsOptions<Context>) {
    this.#options = options;
  }

  /**
   * Opens a session, which nobody finds before it is kept.
   * @throws Refused when there are too many
   */
  open(admission: Admission<Context>): HttpSession {
    if (this.#isFull && this.#findUnused() === undefined) {
      throw new Refused(503, "Too many sessions; end one");
    }
    return this.#create(randomUUID(), admission);
  }

  /** Keeps a session that its client has initialized; one more than may be takes the place of another. */
  keep(session: HttpSession): void {
    const { id = "" } = session;
    const unused = this.#isFull ? this.#findUnused() : undefined;
    if (unused?.id !== undefined) this.#sessions.delete(unused.id);
    unused?.close();
    this.#sessions.set(id, session);
    void session.connection.peer.closed.then(() => this.#sessions.delete(id));
  }

  /**
   * Opens what lasts for one request, and has no id.
   * @param session what is known of the client; undefined for one that says it itself
   */
  openPassing(admission: Admission<Context>, session: SessionState | undefined): HttpSession {
    return this.#create(undefined, admission, session);
  }

  /**
   * The session of an id; that of another principal is unknown.
   * @throws Refused when there is none
   */
  find(id: string | undefined, { principal = "" }: Admission<Context>): HttpSession {
    if (id === undefined) throw new Refused(400, "There is no session: send initialize first");
    const session = this.#sessions.get(id);
    if (session === undefined || session.principal !== principal) {
      throw new Refused(404, "There is no such session: send initialize again");
    }
    session.lastSeenMs = Date.now();
    return session;
  }

  /** Keeps the streams alive, and ends the sessions that are unused. */
  sweep(): void {
    const now = Date.now();
    for (const session of this.#sessions.values()) {
      if (session.isBusy) {
        session.lastSeenMs = now;
        session.comment();
      } else if (session.lastSeenMs < now - this.#options.limits.sessionIdleMs) session.close();
    }
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  #create(
    id: string | undefined,
    admission: Admission<Context>,
    session?: SessionState,
  ): HttpSession {
    const options = {
      ...admission,
      era: "legacy" as const,
      peer: peerOptionsOf(this.#options),
      ...(session !== undefined && { session }),
    };
    const connect = (transport: Transport) => this.#options.server.connect(transport, options);
    return new HttpSession({ id, principal: admission.principal ?? "", connect });
  }

  get #isFull(): boolean {
    return this.#sessions.size >= this.#options.limits.maxSessions;
  }

  /** Many clients leave without ending their session; one that returns sends initialize again. */
  #findUnused(): HttpSession | undefined {
    let oldest: HttpSession | undefined;
    for (const session of this.#sessions.values()) {
      const isOlder = oldest === undefined || session.lastSeenMs < oldest.lastSeenMs;
      if (!session.isBusy && isOlder) oldest = session;
    }
    return oldest;
  }
}
