import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** Answers the requests to an HTTP server. */
type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** A server of an official SDK that listens on loopback. */
export interface TheirHttpServer {
  readonly url: string;
  /** Ends all sessions, as a restart does. */
  forget(): void;
  close(): Promise<void>;
}

interface Sessions {
  readonly listener: Listener;
  forget(): void;
}

const idOf = (request: IncomingMessage) => String(request.headers["mcp-session-id"] ?? "");

/** 1.x with sessions. */
function sessionsV1(create: () => McpServer): Sessions {
  const open = new Map<string, StreamableHTTPServerTransport>();
  const listener: Listener = async (request, response) => {
    const known = open.get(idOf(request));
    if (known === undefined && idOf(request) !== "") return response.writeHead(404).end();
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, transport),
    });
    await create().connect(transport as Parameters<McpServer["connect"]>[0]);
    await transport.handleRequest(request, response);
  };
  return { listener, forget: () => open.clear() };
}

/** 1.x without sessions: a server for each request. */
function statelessV1(create: () => McpServer): Sessions {
  const listener: Listener = async (request, response) => {
    // As in the examples of the SDK.
    if (request.method !== "POST") return response.writeHead(405).end();
    const transport = new StreamableHTTPServerTransport({});
    await create().connect(transport as Parameters<McpServer["connect"]>[0]);
    await transport.handleRequest(request, response);
  };
  return { listener, forget: () => {} };
}

/** 1.x with HTTP+SSE of 2024-11-05. */
function sseV1(create: () => McpServer): Sessions {
  const open = new Map<string, SSEServerTransport>();
  const listener: Listener = async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/mcp" && request.method === "GET") {
      const transport = new SSEServerTransport("/messages", response);
      open.set(transport.sessionId, transport);
      await create().connect(transport);
    } else if (pathname === "/messages") {
      await open.get(searchParams.get("sessionId") ?? "")?.handlePostMessage(request, response);
    } else response.writeHead(405).end();
  };
  return {
    listener,
    forget() {
      for (const transport of open.values()) void transport.close();
      open.clear();
    },
  };
}

/** 2.x with sessions. */
function sessionsV2(create: () => McpServer): Sessions {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const listener: Listener = async (request, response) => {
    const known = open.get(idOf(request));
    if (known === undefined && idOf(request) !== "") return response.writeHead(404).end();
    if (known !== undefined) return answer(known, request, response);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void open.set(id, transport),
    });
    await create().connect(transport as never);
    await answer(transport, request, response);
  };
  return { listener, forget: () => open.clear() };
}

/** 2.x without sessions, in both eras. */
function statelessV2(create: () => McpServer): Sessions {
  const handler = createMcpHandler(create as never);
  const listener: Listener = (request, response) =>
    answer({ handleRequest: (each) => handler.fetch(each) }, request, response);
  return { listener, forget: () => {} };
}

async function answer(
  transport: Pick<WebStandardStreamableHTTPServerTransport, "handleRequest">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = request.method === "POST" ? Readable.toWeb(request) : null;
  const given = await transport.handleRequest(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? "GET",
      headers: request.headers as Record<string, string>,
      body: body as ReadableStream | null,
      duplex: "half",
    } as RequestInit),
  );
  response.writeHead(given.status, Object.fromEntries(given.headers)).flushHeaders();
  if (given.body === null) response.end();
  // The client may disconnect before the end.
  else await pipeline(Readable.fromWeb(given.body as never), response).catch(() => {});
}

export const httpServers = {
  sessionsV1,
  statelessV1,
  sseV1,
  sessionsV2,
  statelessV2,
} as const;

/** Listens until it is closed. */
export async function listenTheirs(
  kind: keyof typeof httpServers,
  create: () => McpServer,
): Promise<TheirHttpServer> {
  const sessions = httpServers[kind](create);
  const server = createServer((request, response) => void sessions.listener(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    forget: sessions.forget,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
