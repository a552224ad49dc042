import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearInterval, setInterval } from "node:timers";
import { IdewireError, isObject, legacyRevisions, type McpServer } from "@idewire/core";
import { inspectSource } from "../admission/handshake.ts";
import { headOnlyUnless, isHeadOnly } from "../admission/head-only.ts";
import { isSameToken, tokenFault } from "../admission/token.ts";
import { UnadmittedSockets } from "../admission/unadmitted-sockets.ts";
import { HttpSession } from "./http-session.ts";
import { readJson } from "./read-json.ts";
import { Refused, refuse, refuseUnadmitted } from "./refused.ts";

/** How an MCP server is offered over HTTP on this machine. */
export interface ListenMcpOptions<Context> {
  readonly server: McpServer<Context>;
  /** Given to each tool that a session calls. */
  readonly context: Context;
  /** What `Authorization: Bearer` must bring: 16 bytes or more. */
  readonly token: string;
  /** Any free one when left out. */
  readonly port?: number;
  /** 32; one more takes the place of the one unused for longest, or is refused with 503. */
  readonly maxSessions?: number;
  /** 4 MiB; a larger body is refused with 413. */
  readonly maxBodyBytes?: number;
}

/** An MCP server on loopback. The caller closes it. */
export interface McpListener {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const PATH = "/mcp";
/** How long a session without a request and without a stream is kept. */
const IDLE_MS = 3_600_000;

/** An answer may wait for a person; a request may not dawdle. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
};

/** The requests of one session that wait for an answer: 32 sessions hold 512 MiB at most. */
const MODEST = { maxRunningSize: 1 << 23 };

/**
 * Offers an MCP server over Streamable HTTP (MCP 2025-03-26 to 2025-11-25, Transports) on 127.0.0.1,
 * to clients that have the token. Web pages are refused by their Origin.
 * @throws IdewireError `port-in-use` when the port is not to be had, `invalid-argument` for a token
 * that is too short
 */
export async function listenMcp<Context>(options: ListenMcpOptions<Context>): Promise<McpListener> {
  const fault = tokenFault(options.token);
  if (fault !== undefined) throw new IdewireError("invalid-argument", fault);
  const endpoint = new McpEndpoint(options);
  const IncomingMessage = headOnlyUnless((request) => endpoint.refusal(request) === undefined);
  const server = createServer({ ...limits, IncomingMessage });
  server.on("request", (request, response) => void endpoint.answer(request, response));
  server.on("checkContinue", (request, response) => void endpoint.answer(request, response, true));
  server.on("upgrade", (request, socket) => {
    const refused = endpoint.refusal(request) ?? new Refused(400, "No upgrade is understood here");
    refuseUnadmitted(socket as Socket, request, refused);
  });
  server.on("connection", (socket) => endpoint.unadmitted.add(socket));
  const port = await listenOn(server, options.port);
  const sweep = setInterval(() => endpoint.sweep(), IDLE_MS / 4);
  sweep.unref();
  let closed: Promise<unknown> | undefined;
  return {
    port,
    url: `http://127.0.0.1:${port}${PATH}`,
    async close() {
      closed ??= close(server, endpoint, sweep);
      await closed;
    },
  };
}

async function close(
  server: Server,
  endpoint: Pick<McpEndpoint<unknown>, "close">,
  sweep: NodeJS.Timeout,
): Promise<void> {
  clearInterval(sweep);
  endpoint.close();
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  // What is answered in this turn still leaves.
  setImmediate(() => setImmediate(() => server.closeAllConnections()));
  await closed;
}

async function listenOn(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  const error = await once(server, "listening").then(
    () => undefined,
    (cause: Error) => cause,
  );
  if (error === undefined) return (server.address() as AddressInfo).port;
  const message = port === 0 ? "No port is available" : `Port ${port} is used by another program`;
  throw new IdewireError("port-in-use", message, { cause: error });
}

class McpEndpoint<Context> {
  readonly #options: ListenMcpOptions<Context>;
  readonly #sessions = new Map<string, HttpSession>();
  readonly unadmitted = new UnadmittedSockets();

  constructor(options: ListenMcpOptions<Context>) {
    this.#options = options;
  }

  /** @param asks whether the client waits for a word before it sends the body */
  async answer(request: IncomingMessage, response: ServerResponse, asks = false): Promise<void> {
    // Should Node have asked its class of nothing, nobody is let in by that.
    const refused = isHeadOnly(request) ? this.refusal(request) : undefined;
    if (refused !== undefined) return refuseUnadmitted(request.socket, request, refused);
    this.unadmitted.delete(request.socket);
    try {
      refuseRevision(request);
      if (request.method === "POST") await this.#post(request, response, asks);
      else if (request.method === "GET") this.#get(request, response);
      else if (request.method === "DELETE") this.#delete(request, response);
      else
        throw new Refused(405, "Use POST, GET or DELETE", {
          headers: { allow: "POST, GET, DELETE" },
        });
    } catch (error) {
      refuse(request, response, error);
    }
  }

  sweep(): void {
    const limit = Date.now() - IDLE_MS;
    for (const session of this.#sessions.values()) {
      if (!session.isBusy && session.lastSeenMs < limit) session.close();
    }
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  /** Why a client is refused; only the head has been read by then. */
  refusal(request: IncomingMessage): Refused | undefined {
    const source = inspectSource(request, { allowedHosts: [], allowedOrigins: [] });
    if (source !== undefined) return new Refused(source.status, source.message);
    const { url = "" } = request;
    const path = url === PATH ? url : url.replace(/[?#].*/s, "");
    if (path !== PATH)
      return new Refused(404, `There is nothing at ${JSON.stringify(path)}; use ${PATH}`);
    if (hasBearer(request, this.#options.token)) return undefined;
    return new Refused(401, "The bearer token is missing or wrong", {
      headers: { "www-authenticate": "Bearer" },
    });
  }

  async #post(request: IncomingMessage, response: ServerResponse, asks: boolean): Promise<void> {
    const { maxBodyBytes = 4 * 1024 * 1024 } = this.#options;
    const body = await readJson(request, {
      maxBytes: maxBodyBytes,
      onWanted: () => asks && response.writeContinue(),
    });
    const isNew = request.headers["mcp-session-id"] === undefined;
    const session = isNew ? this.#open(body.value) : this.#known(request);
    session.lastSeenMs = Date.now();
    const accept = request.headers.accept ?? "*/*";
    session.take(body, response, /text\/event-stream|\*\/\*/.test(accept));
    if (isNew && response.statusCode >= 400) session.close();
  }

  #get(request: IncomingMessage, response: ServerResponse): void {
    if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? "")) {
      throw new Refused(406, "A GET opens a stream: accept text/event-stream");
    }
    const session = this.#known(request);
    if (!session.listen(response)) throw new Refused(409, "This session has a stream already");
  }

  #delete(request: IncomingMessage, response: ServerResponse): void {
    this.#known(request).close();
    response.writeHead(200).end();
  }

  #open(value: unknown): HttpSession {
    if (!isObject(value) || value["method"] !== "initialize") {
      throw new Refused(400, "There is no session: send initialize first");
    }
    const { server, context, maxSessions = 32 } = this.#options;
    if (this.#sessions.size >= maxSessions) this.#makeRoom();
    const session = new HttpSession(randomUUID(), (transport) => {
      return server.connect(transport, { context, peer: MODEST }).peer;
    });
    this.#sessions.set(session.id, session);
    void session.peer.closed.then(() => this.#sessions.delete(session.id));
    return session;
  }

  /** Many clients leave without ending their session; one that returns sends initialize again. */
  #makeRoom(): void {
    const [oldest] = [...this.#sessions.values()]
      .filter(({ isBusy }) => !isBusy)
      .sort((left, right) => left.lastSeenMs - right.lastSeenMs);
    if (oldest === undefined) throw new Refused(503, "Too many sessions; end one");
    this.#sessions.delete(oldest.id);
    oldest.close();
  }

  #known(request: IncomingMessage): HttpSession {
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? this.#sessions.get(id) : undefined;
    if (session === undefined)
      throw new Refused(404, "There is no such session: send initialize again");
    return session;
  }
}

function refuseRevision({ headers }: IncomingMessage): void {
  const revision = headers["mcp-protocol-version"];
  if (typeof revision !== "string" || Object.hasOwn(legacyRevisions, revision)) return;
  const known = Object.keys(legacyRevisions).join(", ");
  throw new Refused(
    400,
    `MCP ${JSON.stringify(revision)} is not supported; expected one of ${known}`,
  );
}

function hasBearer(request: IncomingMessage, token: string): boolean {
  const [, given = ""] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return isSameToken(given, token);
}
