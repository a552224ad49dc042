import type {
  OpenOptions,
  RequestTarget,
  ServedConversation,
  SessionState,
} from "@idewire/core/internal";
import type { McpStore } from "@idewire/core/server";
import { asksOf } from "../find-refusal.ts";
import type { HttpLimits } from "../http-limits.ts";
import type { Admission } from "../request-head.ts";
import type { LiveSessions, Served } from "../served.ts";
import { unref } from "../timers.ts";
import { Relay, type SessionOrder } from "./relay.ts";
import { SessionListener } from "./session-listener.ts";
import { generalOf, type KnownSession, StoredSessions } from "./stored-sessions.ts";

/**
 * How long an instance counts as alive after its last renewal, and how often it renews. Together with the interval
 * of a {@link FollowedResponse} its end is detected within 7 s.
 */
const LEASE_MS = 4000;
const RENEW_MS = 1000;

/** A part of a session at this instance: a POST in progress, the response to a GET, or the subscribed client. */
export interface SessionPart {
  /** Whether ending it affects no client. */
  readonly isAway: boolean;
  /** Executes an order; returns whether it was awaited. */
  take(order: SessionOrder): boolean | Promise<boolean>;
  /** This instance ends, the session does not: another instance reports the losses. */
  leave(): void;
}

export interface InstanceOptions<Context> {
  readonly server: Served<Context>;
  readonly limits: HttpLimits;
  readonly live?: LiveSessions<Context> | undefined;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** One instance's part of the sessions that all instances share. */
export class Instance<Context> {
  readonly store: McpStore;
  readonly sessions: StoredSessions;
  readonly relay: Relay;
  readonly #options: InstanceOptions<Context>;
  /** How much a client of one request, or one stream, may cost. */
  readonly peer: OpenOptions<Context>["peer"] & object;
  readonly #parts = new Map<string, Set<SessionPart>>();
  readonly #listeners = new Map<string, SessionListener<Context>>();
  #lease: string | undefined;
  #isClosed = false;
  #timers: readonly ReturnType<typeof setInterval>[] = [];

  constructor(options: InstanceOptions<Context>) {
    const { server, onerror, limits } = options;
    const { store } = server;
    this.#options = options;
    this.store = store;
    const listens = options.live !== undefined;
    this.sessions = new StoredSessions({
      store,
      holder: () => this.lease,
      limits,
      onerror,
      listens,
    });
    this.relay = new Relay(
      store.bus,
      (order) => this.#take(order),
      (error) => this.sessions.report(error),
    );
    this.peer = {
      // An editor's agent proposes whole files.
      maxRunningSize: options.live === undefined ? 1 << 23 : limits.maxBodyBytes,
      ...(onerror !== undefined && { onerror }),
      // Questions of several requests reach one client, which distinguishes them by their ids.
      get firstId() {
        return Math.floor(Math.random() * 2 ** 46);
      },
    };
  }

  get live(): LiveSessions<Context> | undefined {
    return this.#options.live;
  }

  get keepAliveMs(): number {
    return this.#options.limits.keepAliveMs;
  }

  /** The lease of this instance, from its first use on. */
  get lease(): string {
    if (this.#lease === undefined) {
      this.#lease = `instance:${crypto.randomUUID()}`;
      const renewing = setInterval(() => this.#renew(), RENEW_MS);
      const sweeping = setInterval(() => this.#sweep(), this.keepAliveMs);
      this.#timers = [unref(renewing), unref(sweeping)];
      this.#renew();
    }
    return this.#lease;
  }

  /** Opens a conversation with a client of a session. */
  open(options: OpenOptions<Context>): ServedConversation {
    return this.#options.server.open(options);
  }

  /** The targets of a body, with the scopes that its tools require. */
  asksOf(body: unknown): readonly RequestTarget[] {
    const { server } = this.#options;
    return asksOf(body).map(({ method, name = "" }) => {
      const scopes = method === "tools/call" ? server.findTool(name)?.scopes : undefined;
      return { method, name, scopes };
    });
  }

  /** Registers a part of a session at this instance. */
  keep(session: string, part: SessionPart): void {
    const parts = this.#parts.get(session) ?? new Set();
    this.#parts.set(session, parts.add(part));
  }

  /** The client of a session is no longer subscribed here; an editor's server ends the session then. */
  forget(session: string, listener: SessionPart): void {
    this.drop(session, listener);
    if (this.live !== undefined && !this.#isClosed) this.#endSession(session);
  }

  drop(session: string, part: SessionPart): void {
    const parts = this.#parts.get(session);
    parts?.delete(part);
    if (this.#listeners.get(session) === part) this.#listeners.delete(session);
    if (parts?.size === 0) this.#parts.delete(session);
  }

  /**
   * Stores a new session; the sessions that it replaces are ended at all instances.
   * @throws HttpRefusal when there are too many
   */
  async begin(id: string, admission: Admission<Context>, state?: SessionState): Promise<void> {
    const ended = await this.sessions.begin(id, admission, state);
    for (const session of ended) {
      this.relay.broadcast({ session, ended: true }).catch((error) => this.sessions.report(error));
    }
    if (this.live === undefined || state === undefined) return;
    const { principal = "" } = admission;
    if (principal !== "") this.#replaceSessionOf(principal);
    await this.openGeneral(id, principal);
    this.listenerOf(
      { id, state, record: { principal, state, listens: true }, calls: [] },
      admission,
    );
  }

  /** Stores a request's changes of a session, and notifies the other instances that use it. */
  async saveState(known: KnownSession, state: SessionState): Promise<void> {
    const saved = await this.sessions.save(known, state);
    if (saved.record.listens !== true) return;
    await this.sessions.reach(this.relay.broadcast({ session: known.id, state: saved.state }));
  }

  /** The client of a session that is subscribed here. */
  listenerOf(known: KnownSession, admission: Admission<Context>): SessionListener<Context> {
    const own = this.#listeners.get(known.id);
    if (own !== undefined) {
      own.admission = admission;
      return own;
    }
    const listener = new SessionListener({ instance: this, known, admission });
    this.#listeners.set(known.id, listener);
    this.keep(known.id, listener);
    return listener;
  }

  /** Sends a message that belongs to no request, if the client is subscribed. */
  sendGeneral(session: string, frame: string): void {
    this.appendGeneral(session, frame).catch((error: unknown) => this.sessions.report(error));
  }

  /** Appends to the stream for such messages; resolves to the number of the event. */
  appendGeneral(session: string, frame: string): Promise<number | undefined> {
    const { sessionIdleMs } = this.#options.limits;
    return this.store.events.append(generalOf(session), { frame }, sessionIdleMs);
  }

  /** Starts the stream for such messages, or extends its lifetime. */
  openGeneral(session: string, principal: string): Promise<void> {
    const { sessionIdleMs } = this.#options.limits;
    return this.store.events.open(generalOf(session), { ids: [], principal }, sessionIdleMs);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const parts of this.#parts.values()) for (const part of parts) part.leave();
    this.relay.close();
    if (this.#lease !== undefined) {
      this.store.leases.end(this.#lease).catch((error: unknown) => this.sessions.report(error));
    }
  }

  /** Ends the previous session of a client that has begun another. */
  #replaceSessionOf(principal: string): void {
    for (const [session, listener] of this.#listeners) {
      if (listener.admission.principal === principal) this.#endSession(session);
    }
  }

  #endSession(session: string): void {
    void this.#take({ session, ended: true });
    this.sessions.end(session).catch((error: unknown) => this.sessions.report(error));
  }

  /** Renews open entries in the store, and closes those that have ended there. */
  #sweep(): void {
    for (const [session, parts] of this.#parts) {
      const listener = this.#listeners.get(session);
      if (listener !== undefined) {
        this.openGeneral(session, listener.admission.principal ?? "").catch((error: unknown) =>
          this.sessions.report(error),
        );
      }
      const isRunning = listener && this.live?.isRunning?.(listener.admission.context);
      if (isRunning === false) {
        this.#endSession(session);
        continue;
      }
      const isBusy = isRunning === true || [...parts].some(({ isAway }) => !isAway);
      this.sessions.stays(session, isBusy).then(
        (isThere) => isThere || this.#take({ session, ended: true }),
        (error: unknown) => this.sessions.report(error),
      );
    }
  }

  #take(order: SessionOrder): boolean | Promise<boolean> {
    const parts = [...(this.#parts.get(order.session) ?? [])];
    const { message, begun, change } = order;
    const isForOne = message !== undefined || begun !== undefined || change !== undefined;
    let isTaken: boolean | Promise<boolean> = false;
    for (const part of parts) {
      const own = part.take(order);
      if (isForOne && own !== false) return own;
      isTaken ||= own;
    }
    return isTaken;
  }

  #renew(): void {
    this.sessions.retry();
    this.store.leases
      .renew(this.lease, LEASE_MS)
      .catch((error: unknown) => this.sessions.report(error));
  }
}
