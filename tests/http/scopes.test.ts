import { McpServer } from "@idewire/core/server";
import { expect, onTestFinished, test } from "vitest";
import {
  calling,
  carriers,
  type EndpointOptions,
  modernRequest,
  type OpenEndpoint,
  posting,
  postingModern,
  request,
} from "../src/http-client.ts";

function makeServer() {
  const server = new McpServer<unknown>({ name: "s", version: "1" });
  let runs = 0;
  server.tool("write", { scopes: ["notes", 'wr"ite'] }, () => `written ${++runs}`);
  server.tool("secret", { scopes: ["write"], visible: () => false }, () => "s");
  return server;
}

/** Admits every client, with the scopes in a header. */
const authorize: EndpointOptions["authorize"] = (head) => ({
  context: undefined,
  scopes: head.header("x-scopes")?.split(" ") ?? [],
});

type Post = (name: string, scopes: string) => Promise<Response>;

async function openSession({ send }: OpenEndpoint): Promise<Post> {
  const hello = { protocolVersion: "2025-11-25", capabilities: {} };
  const { headers } = await send(posting(request(0, "initialize", hello)));
  const session = { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
  await send(posting({ jsonrpc: "2.0", method: "notifications/initialized" }, session));
  return (name, scopes) => send(posting(calling(1, name), { ...session, "x-scopes": scopes }));
}

const clients: Readonly<
  Record<
    string,
    { readonly legacy: "sessions" | "stateless"; open(at: OpenEndpoint): Promise<Post> }
  >
> = {
  "in a session": { legacy: "sessions", open: openSession },
  "without a session": {
    legacy: "stateless",
    open:
      async ({ send }) =>
      (name, scopes) =>
        send(posting(calling(1, name), { "x-scopes": scopes })),
  },
  "of the modern era": {
    legacy: "sessions",
    open:
      async ({ send }) =>
      (name, scopes) => {
        const call = modernRequest(1, "tools/call", { name, arguments: {} });
        return send(postingModern(call, { "x-scopes": scopes }));
      },
  },
};

const cases = Object.entries(carriers).flatMap(([carrier, carry]) =>
  Object.entries(clients).map(([who, client]) => ({ carrier, carry, who, ...client })),
);

test.each(cases)(
  "over the $carrier a client $who without the scopes of a tool gets 403 with a challenge",
  async ({ carry, legacy, open }) => {
    const endpoint = await carry({ server: makeServer(), authorize, legacy });
    onTestFinished(() => endpoint.close());
    const post = await open(endpoint);
    const refused = await post("write", "notes");
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", scope="notes wr\\"ite"',
    );
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: { data: { requiredScopes: ["notes", 'wr"ite'] } },
    });
    const answered = await post("write", 'wr"ite notes');
    expect([answered.status, answered.headers.get("www-authenticate")]).toEqual([200, null]);
    expect(await answered.json()).toMatchObject({ result: { content: [{ text: "written 1" }] } });
    const invisible = await post("secret", "notes");
    expect([invisible.status, invisible.headers.get("www-authenticate")]).toEqual([200, null]);
  },
);
