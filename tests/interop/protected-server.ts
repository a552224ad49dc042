import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpClient } from "@idewire/core/client";
import { McpServer, type ServerCall } from "@idewire/core/server";
import { createHttpTransport, createMcpHandler, type McpHandler } from "@idewire/http";
import { createMemoryStore, createOAuth, type OAuthOptions } from "@idewire/http/oauth";
import {
  type ProtectResourceOptions,
  protectResource,
  type VerifiedToken,
} from "@idewire/http/resource-server";
import { toNodeHandler } from "@idewire/node-server";
import { onTestFinished } from "vitest";
import {
  type AuthorizationServerOptions,
  browsingPerson,
  type ResourceFormat,
  startAuthorizationServer,
} from "./real-authorization-server.ts";

/** An HTTP server that listens before its handler exists, since the metadata contain its address. */
async function listen() {
  let handler: McpHandler | undefined;
  const server = createServer((request, response) => {
    if (handler !== undefined) void toNodeHandler(handler)(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    handler?.close();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const offer = (given: McpHandler) => {
    handler = given;
  };
  return { audience: `http://127.0.0.1:${port}/mcp`, offer };
}

type Options = Partial<ProtectResourceOptions<VerifiedToken>>;

/** Deviations from the defaults of the two servers. */
interface Special extends AuthorizationServerOptions {
  readonly ttlS?: number;
  /** How long an introspection answer is cached. */
  readonly cacheMs?: number;
  /** The origins of the pages that may call. */
  readonly allowedOrigins?: readonly string[];
}

/** A real authorization server, and an MCP server of ours that trusts it. */
export async function open(
  format: ResourceFormat["format"],
  options: Options = {},
  { ttlS, cacheMs = 300, allowedOrigins = [], ...authorizerOptions }: Special = {},
) {
  const { audience, offer } = await listen();
  const resource = { scope: "read write", format, ...(ttlS !== undefined && { ttlS }) };
  const other = "https://other.example.com/mcp";
  const authorizer = await startAuthorizationServer(
    new Map([
      [audience, resource],
      [other, resource],
    ]),
    authorizerOptions,
  );
  onTestFinished(() => authorizer.close());
  const { issuer, introspection } = authorizer;
  const server = new McpServer<VerifiedToken>({ name: "protected", version: "1" });
  const who = (_: unknown, { context }: ServerCall<VerifiedToken>) =>
    `${context.subject}: ${[...context.scopes].sort().join(" ")}`;
  server.tool("who", {}, who);
  server.tool("write", { scopes: ["write"] }, who);
  const introspecting = { issuer, introspection: { ...introspection, cacheMs } };
  const issuers = [format === "opaque" ? introspecting : issuer];
  const protection = protectResource({ issuers, audience, scopesSupported: ["read"], ...options });
  offer(createMcpHandler(server, { resourceServer: protection, allowedOrigins }));
  return { issuer, audience, other, authorizer };
}

/** Connects our client; its person agrees to everything. */
export async function connect(
  url: string,
  options: Partial<OAuthOptions> = {},
  era: "legacy" | "modern" = "legacy",
) {
  const store = createMemoryStore();
  const person = { url, store, openRedirectTarget: browsingPerson };
  const authorization = createOAuth({ ...person, ...options });
  const client = await McpClient.connect(() => createHttpTransport(url, { authorization }), {
    name: "t",
    version: "1",
    era,
  });
  onTestFinished(() => client.close());
  return { client, store };
}

const hello = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};

/** Posts a body with headers; returns the status, the challenge and the answer. */
export async function post(url: string, given: Readonly<Record<string, string>>, body: unknown) {
  const accept = "application/json, text/event-stream";
  const headers = { "content-type": "application/json", accept, ...given };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? "",
    body: await response.text(),
  };
}

/** Posts an `initialize`. */
export function ping(url: string, headers: Readonly<Record<string, string>>) {
  return post(url, headers, hello);
}
