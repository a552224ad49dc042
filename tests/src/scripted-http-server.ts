import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as received by the server. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** Its message. */
  readonly message: {
    readonly id?: number;
    readonly method?: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
  readonly body: string;
  readonly atMs: number;
}

/** Answers a request. */
export type ScriptedAnswer = (seen: SeenRequest, response: ServerResponse) => unknown;

/** An HTTP server with scripted answers, which records its requests. */
export class ScriptedHttpServer {
  readonly seen: SeenRequest[] = [];
  answer: ScriptedAnswer;
  // Until the test ends, since a busy machine may leave a connection idle for long.
  readonly #server = createServer(
    { keepAliveTimeout: 600_000 },
    (request, response) => void this.#take(request, response),
  );

  constructor(answer: ScriptedAnswer) {
    this.answer = answer;
  }

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** `GET`, `DELETE` or the JSON-RPC method of each request, in order. */
  get methods(): readonly string[] {
    return this.seen.map(({ method, message }) => message.method ?? method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const part of request) body += part;
    const message = body.startsWith("{") ? JSON.parse(body) : {};
    const { method = "", url: path = "", headers } = request;
    const seen = { method, path, headers, message, body, atMs: performance.now() };
    this.seen.push(seen);
    await this.answer(seen, response);
  }
}

/** Answers with a JSON value. */
export function json(response: ServerResponse, value: unknown, headers = {}, status = 200): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

/** Starts a stream of events. */
export function events(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  return response;
}

/** The text of an event with a message. */
export function event(message: unknown, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

/** The answer to a request. */
export function result(id: number | undefined, value: unknown = {}): object {
  return { jsonrpc: "2.0", id, result: value };
}

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
  serverInfo: { name: "scripted", version: "1" },
};

/**
 * Adds the default behaviour of a server with sessions to a test's own answers: answers `initialize`, accepts
 * notifications and DELETE, has no stream for GET.
 * @param answer returns false for requests with the default answer
 */
export function withSessions(answer: ScriptedAnswer, revision = "2025-11-25"): ScriptedAnswer {
  let sessions = 0;
  return async (seen, response) => {
    if ((await answer(seen, response)) !== false) return;
    const { id, method } = seen.message;
    if (method === "initialize") {
      sessions += 1;
      const headers = { "mcp-session-id": `session-${sessions}` };
      json(response, result(id, { ...hello, protocolVersion: revision }), headers);
    } else if (seen.method === "GET") response.writeHead(405).end();
    else if (seen.method === "DELETE") response.writeHead(200).end();
    else if (id === undefined) response.writeHead(202).end();
    else json(response, result(id));
  };
}
