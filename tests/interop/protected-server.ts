import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
  defineTool,
  fromJsonSchema,
  McpClient,
  McpServer,
  modernEra,
  reopening,
  textResult,
} from "@idewire/core";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import { createMcpListener } from "@idewire/node-server/http";
import {
  type ProtectResourceOptions,
  protectResource,
  type VerifiedToken,
} from "@idewire/node-server/resource-server";
import { createHttpTransport } from "@idewire/remote";
import { createMemoryStore, createOAuth, type OAuthOptions } from "@idewire/remote/oauth";
import { onTestFinished } from "vitest";
import {
  type AuthorizationServerOptions,
  browsingPerson,
  type ResourceFormat,
  startAuthorizationServer,
} from "./real-authorization-server.ts";

/** A port that was free a moment ago: the address of a resource is part of its metadata. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

type Options = Partial<ProtectResourceOptions<VerifiedToken>>;

/** A real authorization server, and an MCP server of ours that trusts it. */
export async function open(
  format: ResourceFormat["format"],
  options: Options = {},
  { ttlS, ...authorizerOptions }: AuthorizationServerOptions & { readonly ttlS?: number } = {},
) {
  const port = await freePort();
  const audience = `http://127.0.0.1:${port}/mcp`;
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
  const server = new McpServer<VerifiedToken>({
    info: { name: "protected", version: "1" },
    eras: { modern: modernEra() },
    tools: [
      defineTool({
        name: "who",
        input: fromJsonSchema({ type: "object" }, jsonSchemaValidator),
        run: (_, { subject, scopes }) => textResult(`${subject}: ${[...scopes].sort().join(" ")}`),
      }),
    ],
  });
  const issuers = [format === "opaque" ? { issuer, introspection } : issuer];
  const protection = protectResource({ issuers, audience, scopesSupported: ["read"], ...options });
  const listener = await createMcpListener({ server, ...protection, port });
  onTestFinished(() => listener.close());
  return { issuer, audience, other, authorizer };
}

/** Connects our client, whose person agrees to everything. */
export async function connect(url: string, options: Partial<OAuthOptions> = {}) {
  const store = createMemoryStore();
  const person = { url, store, openRedirectTarget: browsingPerson };
  const authorization = createOAuth({ ...person, ...options });
  const client = await McpClient.connect(
    reopening(() => createHttpTransport(url, { authorization })),
    { info: { name: "t", version: "1" } },
  );
  onTestFinished(() => client.close());
  return { client, store };
}

/** Posts a ping with some credentials; gives the status, and the challenge. */
export async function ping(url: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
      ...headers,
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      },
    }),
  });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate") ?? "",
    body: await response.text(),
  };
}
