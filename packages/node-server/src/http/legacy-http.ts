import { isLegacyRevision, type SessionState } from "@idewire/core/internal";
import type { HttpExchange } from "./http-exchange.ts";
import { HttpSessions, type HttpSessionsOptions } from "./http-sessions.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import { isInitialize, type LegacyEra, refuseNoStream, refuseRevision } from "./legacy-era.ts";
import { Refused } from "./refused.ts";
import type { RequestHead } from "./request-head.ts";
import type { SlowExchanges } from "./slow-exchanges.ts";

export interface LegacyHttpOptions<Context> extends HttpSessionsOptions<Context> {
  /** Whether anything is kept between two requests. */
  readonly hasSessions: boolean;
}

/** The sessions of this process, or none. */
export class LegacyHttp<Context> implements LegacyEra<Context> {
  readonly #hasSessions: boolean;
  readonly #sessions: HttpSessions<Context>;
  readonly #slow: SlowExchanges;

  constructor(options: LegacyHttpOptions<Context>, slow: SlowExchanges) {
    this.#hasSessions = options.hasSessions;
    this.#sessions = new HttpSessions(options);
    this.#slow = slow;
  }

  /** The methods of HTTP that make sense here. */
  get methods(): readonly string[] {
    return this.#hasSessions ? ["POST", "GET", "DELETE"] : ["POST"];
  }

  /** @throws Refused */
  post(incoming: Incoming<Context>, body: JsonBody): void {
    const { head, responder } = incoming;
    if (!this.#hasSessions) {
      this.#postPassing(incoming, body);
      return;
    }
    const id = head.header("mcp-session-id");
    if (id === undefined) {
      this.#initialize(incoming, body);
      return;
    }
    const session = this.#sessions.find(id, incoming.admission);
    refuseRevision(head, session.connection.revision);
    this.#watch(session.take(body, head, responder));
  }

  /** @throws Refused */
  get({ head, admission, responder }: Incoming<Context>): void {
    refuseNoStream(head);
    const session = this.#sessions.find(head.header("mcp-session-id"), admission);
    refuseRevision(head, session.connection.revision);
    session.listen(head, responder);
  }

  /** @throws Refused */
  delete({ head, admission, responder }: Incoming<Context>): void {
    this.#sessions.find(head.header("mcp-session-id"), admission).close();
    responder.answer(200, {});
  }

  /** Keeps the streams alive, and ends what is unused. */
  sweep(): void {
    this.#sessions.sweep();
  }

  close(): void {
    this.#sessions.close();
  }

  #initialize({ head, admission, responder }: Incoming<Context>, body: JsonBody): void {
    if (!isInitialize(body.value)) {
      throw new Refused(400, "There is no session: send initialize first");
    }
    refuseRevision(head);
    const session = this.#sessions.open(admission);
    try {
      session.take(body, head, responder);
    } finally {
      // What could not be answered as initialize has agreed on nothing.
      if (session.connection.revision === undefined) session.close();
      else this.#sessions.keep(session);
    }
  }

  /** Nothing is kept: the request is treated as if it came right after what opens a session. */
  #postPassing({ head, admission, responder }: Incoming<Context>, body: JsonBody): void {
    refuseRevision(head);
    const known = isInitialize(body.value) ? undefined : sessionOf(head);
    const session = this.#sessions.openPassing(admission, known);
    responder.onClose(() => session.close());
    this.#watch(session.take(body, head, responder));
  }

  #watch(waiting: HttpExchange | undefined): void {
    if (waiting !== undefined) this.#slow.add(waiting);
  }
}

/** What a client has said elsewhere: its revision. What it is able to is not known. */
function sessionOf(head: RequestHead): SessionState {
  const revision = head.header("mcp-protocol-version");
  return {
    revision: isLegacyRevision(revision) ? revision : "2025-03-26",
    clientInfo: { name: "unknown", version: "unknown" },
    clientCapabilities: {},
    initialized: true,
    settings: {},
  };
}
