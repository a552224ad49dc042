import { randomInt, randomUUID } from "node:crypto";
import { clearInterval, setInterval } from "node:timers";
import type { SessionState } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";
import type { ConnectOptions, McpServer, McpStore, ServerConnection } from "@idewire/core/server";
import type { HttpLimits } from "../http-limits.ts";
import { type HttpSessionsOptions, peerOptionsOf } from "../http-sessions.ts";
import type { Admission } from "../request-head.ts";
import type { LocalEnd } from "./local-end.ts";
import { Relay, type SessionOrder } from "./relay.ts";
import { SharedListener } from "./shared-listener.ts";
import { generalOf, type KnownSession, SharedSessions } from "./shared-sessions.ts";

/**
 * How long an instance counts as alive after it was last heard of, and how often it says that it is. With
 * what a {@link FollowedResponse} waits, its end is told within 7 s.
 */
const LEASE_MS = 4000;
const RENEW_MS = 1000;

export interface SharedOptions<Context> extends HttpSessionsOptions<Context> {
  readonly store: McpStore;
  readonly limits: HttpLimits;
}

/** What one instance of a server has of the sessions that all share. */
export class SharedInstance<Context> {
  readonly store: McpStore;
  /** The lease that says that this instance is alive. */
  readonly lease: string = `instance:${randomUUID()}`;
  readonly sessions: SharedSessions;
  readonly relay: Relay;
  readonly #options: SharedOptions<Context>;
  readonly #server: McpServer<Context>;
  readonly #ends = new Map<string, Set<LocalEnd>>();
  readonly #listeners = new Map<string, SharedListener<Context>>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: SharedOptions<Context>) {
    const { store, server, onerror, limits } = options;
    this.#options = options;
    this.#server = server;
    this.store = store;
    this.sessions = new SharedSessions({ store, holder: this.lease, limits, onerror });
    const report = (error: unknown) => this.sessions.report(error);
    this.relay = new Relay(store.bus, (order) => this.#take(order), report);
    this.#timer = setInterval(() => this.#renew(), RENEW_MS);
    this.#timer.unref();
    this.#renew();
  }

  connect(
    transport: Transport,
    options: Omit<ConnectOptions<Context>, "peer" | "era">,
  ): ServerConnection<Context> {
    // Questions of several instances reach one client, which tells them apart by their ids.
    const peer = { ...peerOptionsOf(this.#options), firstId: randomInt(2 ** 46) };
    return this.#server.connect(transport, { ...options, era: "legacy", peer });
  }

  /** Says that something of a session is here. */
  keep(session: string, end: LocalEnd): void {
    const ends = this.#ends.get(session) ?? new Set();
    this.#ends.set(session, ends.add(end));
  }

  drop(session: string, end: LocalEnd): void {
    const ends = this.#ends.get(session);
    ends?.delete(end);
    if (this.#listeners.get(session) === end) this.#listeners.delete(session);
    if (ends?.size === 0) this.#ends.delete(session);
  }

  endsOf(session: string): readonly LocalEnd[] {
    return [...(this.#ends.get(session) ?? [])];
  }

  /** Stores what a request has made of a session, and tells whoever has it. */
  async saveState(known: KnownSession, state: SessionState): Promise<void> {
    const saved = await this.sessions.save(known, state);
    if (saved.record.listens !== true) return;
    await this.sessions.reach(this.relay.tell({ session: known.id, state: saved.state }));
  }

  /** The client of a session as it listens here. */
  listenerOf(
    known: KnownSession,
    { context, principal = "" }: Admission<Context>,
  ): SharedListener<Context> {
    const own = this.#listeners.get(known.id);
    if (own !== undefined) return own;
    const listener = new SharedListener({ instance: this, known, context, principal });
    this.#listeners.set(known.id, listener);
    this.keep(known.id, listener);
    return listener;
  }

  /** Sends what belongs to no request, if the client listens. */
  sendGeneral(session: string, frame: string): void {
    this.tellGeneral(session, frame).catch((error: unknown) => this.sessions.report(error));
  }

  /** Appends to the stream for that; resolves to the number of the event. */
  tellGeneral(session: string, frame: string): Promise<number | undefined> {
    const { sessionIdleMs } = this.#options.limits;
    return this.store.events.append(generalOf(session), { frame }, sessionIdleMs);
  }

  /** Begins the stream for that, or keeps it for longer. */
  openGeneral(session: string): Promise<void> {
    const { sessionIdleMs } = this.#options.limits;
    return this.store.events.open(generalOf(session), { ids: [] }, sessionIdleMs);
  }

  /** Keeps what is open from being taken for dead, here and in the store. */
  sweep(): void {
    for (const [session, ends] of this.#ends) {
      for (const end of ends) end.comment?.();
      const isBusy = [...ends].some(({ isAway }) => isAway !== true);
      this.sessions.stays(session, isBusy).then(
        (isThere) => isThere || this.#take({ session, ended: true }),
        (error: unknown) => this.sessions.report(error),
      );
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const ends of this.#ends.values()) for (const end of ends) end.leave?.();
    this.relay.close();
    this.store.leases.end(this.lease).catch((error: unknown) => this.sessions.report(error));
  }

  #take({ session, message, state, moved, ended }: SessionOrder): boolean {
    const ends = this.endsOf(session);
    if (message !== undefined) return ends.some((end) => end.deliver?.(message) === true);
    for (const end of ends) {
      if (state !== undefined) end.restore?.(state);
      if (moved !== undefined) end.moved?.(moved.stream, moved.to);
      if (ended === true) end.endSession();
    }
    return ends.length > 0;
  }

  #renew(): void {
    this.sessions.retry();
    this.store.leases
      .renew(this.lease, LEASE_MS)
      .catch((error: unknown) => this.sessions.report(error));
  }
}
