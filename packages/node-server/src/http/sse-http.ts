import { randomUUID } from "node:crypto";
import { CloseCode } from "@idewire/core";
import { type HttpSessionsOptions, peerOptionsOf } from "./http-sessions.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./read-json.ts";
import { Refused } from "./refused.ts";
import { accepts } from "./request-head.ts";
import { SseSession } from "./sse-session.ts";

/** HTTP+SSE, the transport of MCP 2024-11-05, for clients that know no other. */
export class SseHttp<Context> {
  readonly methods: readonly string[] = ["GET", "POST"];
  readonly #options: HttpSessionsOptions<Context>;
  readonly #sessions = new Map<string, SseSession>();

  constructor(options: HttpSessionsOptions<Context>) {
    this.#options = options;
  }

  /** @throws Refused */
  get({ head, admission, responder }: Incoming<Context>): void {
    if (!accepts(head, "text/event-stream")) {
      throw new Refused(406, "A GET opens a stream: accept text/event-stream");
    }
    const { server, limits } = this.#options;
    if (this.#sessions.size >= limits.maxSessions) {
      throw new Refused(503, "Too many sessions; end one", { headers: { "retry-after": "1" } });
    }
    const id = randomUUID();
    const peer = peerOptionsOf(this.#options);
    const session = new SseSession({
      responder,
      principal: admission.principal ?? "",
      address: `${head.path}?sessionId=${id}`,
      connect: (transport) => server.connect(transport, { ...admission, era: "legacy", peer }),
    });
    this.#sessions.set(id, session);
    void session.peer.closed.then(() => this.#sessions.delete(id));
  }

  /** @throws Refused for a message that is for no session of its sender */
  refuseUnknown(incoming: Incoming<Context>): void {
    this.#find(incoming);
  }

  /**
   * Takes a message; what answers it leaves on the stream.
   * @throws Refused
   */
  post(incoming: Incoming<Context>, { value, size }: JsonBody): void {
    this.#find(incoming).peer.receive(value, size);
    incoming.responder.answer(202, { "content-type": "text/plain" }, "Accepted");
  }

  #find({ head, admission }: Incoming<Context>): SseSession {
    const id = new URLSearchParams(head.query).get("sessionId");
    const session = id === null ? undefined : this.#sessions.get(id);
    if (session === undefined || session.principal !== (admission.principal ?? "")) {
      throw new Refused(404, "There is no such session: open a stream by GET first");
    }
    return session;
  }

  /** Keeps the streams alive. */
  sweep(): void {
    for (const session of this.#sessions.values()) session.comment();
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close(CloseCode.GoingAway);
  }
}
