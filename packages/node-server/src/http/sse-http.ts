import { randomUUID } from "node:crypto";
import { CloseCode } from "@idewire/core/rpc";
import { type HttpSessionsOptions, peerOptionsOf } from "./http-sessions.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import { notTaken, Refused } from "./refused.ts";
import { accepts } from "./request-head.ts";
import type { LocalEnd } from "./shared/local-end.ts";
import type { SharedInstance } from "./shared/shared-instance.ts";
import { SseSession } from "./sse-session.ts";

/** HTTP+SSE, the transport of MCP 2024-11-05, for clients that know no other. */
export class SseHttp<Context> {
  readonly methods: readonly string[] = ["GET", "POST"];
  readonly #options: HttpSessionsOptions<Context>;
  readonly #sessions = new Map<string, SseSession>();
  readonly #instance: SharedInstance<Context> | undefined;

  /** @param instance what is shared with others; undefined where there is this one alone */
  constructor(options: HttpSessionsOptions<Context>, instance?: SharedInstance<Context>) {
    this.#options = options;
    this.#instance = instance;
  }

  /** @throws Refused, or rejects with it */
  get(incoming: Incoming<Context>): void | Promise<void> {
    if (!accepts(incoming.head, "text/event-stream")) {
      throw new Refused(406, "A GET opens a stream: accept text/event-stream");
    }
    const { limits } = this.#options;
    if (this.#sessions.size >= limits.maxSessions) {
      throw new Refused(503, "Too many sessions; end one", { headers: { "retry-after": "1" } });
    }
    const id = randomUUID();
    if (this.#instance === undefined) return void this.#open(incoming, id);
    return this.#openShared(incoming, id, this.#instance);
  }

  #open({ head, admission, responder }: Incoming<Context>, id: string): SseSession {
    const { server } = this.#options;
    const peer = peerOptionsOf(this.#options);
    const session = new SseSession({
      responder,
      principal: admission.principal ?? "",
      address: `${head.path}?sessionId=${id}`,
      connect: (transport) => server.connect(transport, { ...admission, era: "legacy", peer }),
    });
    this.#sessions.set(id, session);
    void session.peer.closed.then(() => this.#sessions.delete(id));
    return session;
  }

  /** Opens a session that other instances pass messages on to. */
  async #openShared(
    incoming: Incoming<Context>,
    id: string,
    instance: SharedInstance<Context>,
  ): Promise<void> {
    const { admission, responder } = incoming;
    await instance.sessions.begin(id, admission);
    if (responder.ended) return;
    const { peer } = this.#open(incoming, id);
    const end: LocalEnd = {
      deliver(message) {
        peer.receive(message, 0);
        return true;
      },
      endSession: () => peer.close(),
    };
    instance.keep(id, end);
    await peer.closed;
    instance.drop(id, end);
    await instance.sessions.end(id).catch(() => undefined);
  }

  /** @throws Refused for a message that is for no session of its sender */
  refuseUnknown(incoming: Incoming<Context>): void {
    // Another instance may have it.
    if (this.#instance === undefined && this.#find(incoming) === undefined) throw unknown();
  }

  /**
   * Takes a message; what answers it leaves on the stream.
   * @throws Refused, or rejects with it
   */
  post(incoming: Incoming<Context>, { value, size }: JsonBody): void | Promise<void> {
    const session = this.#find(incoming);
    if (session === undefined && this.#instance !== undefined) {
      return this.#passOn(incoming, value, this.#instance);
    }
    if (session === undefined) throw unknown();
    session.peer.receive(value, size);
    accept(incoming);
  }

  async #passOn(
    incoming: Incoming<Context>,
    message: unknown,
    { sessions, relay }: SharedInstance<Context>,
  ): Promise<void> {
    const id = idIn(incoming);
    if (!(await sessions.hasStream(id, incoming.admission))) throw unknown();
    if (await sessions.reach(relay.deliver({ session: id, message }))) accept(incoming);
    else throw notTaken("Nobody has the stream of this session now");
  }

  /** The session if it is here. */
  #find(incoming: Incoming<Context>): SseSession | undefined {
    const session = this.#sessions.get(idIn(incoming));
    return session?.principal === (incoming.admission.principal ?? "") ? session : undefined;
  }

  /** Keeps the streams alive. */
  sweep(): void {
    for (const session of this.#sessions.values()) session.comment();
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close(CloseCode.GoingAway);
  }
}

function idIn({ head }: Pick<Incoming<never>, "head">): string {
  return new URLSearchParams(head.query).get("sessionId") ?? "";
}

function accept({ responder }: Pick<Incoming<never>, "responder">): void {
  responder.answer(202, { "content-type": "text/plain" }, "Accepted");
}

function unknown(): Refused {
  return new Refused(404, "There is no such session: open a stream by GET first");
}
