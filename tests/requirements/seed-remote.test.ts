import { createHash } from "node:crypto";
import { McpClient } from "@idewire/core/client";
import { McpServer } from "@idewire/core/server";
import { createHttpTransport } from "@idewire/http";
import { createMemoryStore, createOAuth, type OAuthOptions } from "@idewire/http/oauth";
import { listenMcp } from "@idewire/node-server";
import { createCredentialFiles } from "@idewire/node-server/oauth";
import { expect, onTestFinished } from "vitest";
import { AuthorizationFixture, agreeingPerson } from "../src/authorization-fixture.ts";
import {
  event,
  events,
  json,
  result,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";
import { streamPair } from "../src/stdio-pairs.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { verifies } from "../src/verifies.ts";

// Seed 004's remote transports and its login, over real HTTP.

const info = { name: "opencode", version: "0.x.x" };
const read = { path: "/etc/hosts" };

async function connect(url: string, options: Parameters<typeof createHttpTransport>[1] = {}) {
  const transport = createHttpTransport(url, { listen: false, ...options });
  const client = await McpClient.connect(transport, { ...info, era: "legacy" });
  onTestFinished(() => client.close());
  return client;
}

async function listenScripted(answer: ConstructorParameters<typeof ScriptedHttpServer>[0]) {
  const server = await new ScriptedHttpServer(answer).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function listenFixture() {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  return fixture;
}

/** A client of the fixture's server that can log in. */
function login(fixture: AuthorizationFixture, more: Partial<OAuthOptions> = {}) {
  const store = createMemoryStore();
  const person = { store, openRedirectTarget: agreeingPerson };
  const { url } = fixture.server;
  return connect(url, { authorization: createOAuth({ url, ...person, ...more }) });
}

verifies("s4:transports", "one server answers over stdio, Streamable HTTP and SSE", async () => {
  const server = new McpServer(info);
  const listener = await listenMcp(server, { access: "anyone", ssePath: "/sse" });
  onTestFinished(() => listener.close());
  const { left, right } = streamPair();
  server.connect(right, { context: undefined });
  const overStdio = await McpClient.connect(left, { ...info, era: "legacy" });
  onTestFinished(() => overStdio.close());
  const overHttp = await connect(listener.url);
  const overSse = await connect(new URL("/sse", listener.url).href);
  for (const client of [overStdio, overHttp, overSse]) {
    expect(client.server.serverInfo).toEqual(info);
    expect(await client.ping()).toBeUndefined();
  }
});

verifies(
  ["s4:http-post", "s4:bearer"],
  "each message is a POST of JSON to one address, with the token, and its response is the answer",
  async () => {
    const answer = { content: [{ type: "text", text: "of this POST" }] };
    const server = await listenScripted(
      withSessions(({ message: { id, method } }, response) =>
        method === "tools/call" ? json(response, result(id, answer)) : false,
      ),
    );
    const client = await connect(server.url, { headers: { authorization: "Bearer secret" } });
    expect(await client.callTool("read_file", read)).toEqual(answer);
    expect(server.methods).toEqual(["initialize", "notifications/initialized", "tools/call"]);
    for (const { method, path, headers } of server.seen) {
      expect([method, path]).toEqual(["POST", "/mcp"]);
      expect(headers).toMatchObject({
        "content-type": "application/json",
        authorization: "Bearer secret",
      });
    }
    expect(server.seen.at(-1)?.message.params).toMatchObject({
      name: "read_file",
      arguments: read,
    });
  },
);

verifies(
  "s4:http-keep-alive",
  "a connection accepts one request after another, and comments keep it open until an answer arrives",
  async () => {
    const ports: (number | undefined)[] = [];
    const answer = { content: [{ type: "text", text: "after comments" }] };
    const answerByEvents = withSessions(async ({ message: { id, method } }, response) => {
      if (method !== "tools/call") return false;
      const stream = events(response);
      for (const comment of [": alive\n\n", ":\n", ":data: {}\n\n", ": é\r\n\r\n", ":\n\n"]) {
        await new Promise((resolve) => stream.write(comment, resolve));
      }
      return stream.end(event(result(id, answer)));
    });
    const server = await listenScripted((seen, response) => {
      ports.push(response.req.socket.remotePort);
      return answerByEvents(seen, response);
    });
    const client = await connect(server.url);
    for (let round = 0; round < 10; round += 1) await client.ping();
    // While fetch returns one socket to its pool, it uses another.
    expect(new Set(ports.slice(-10)).size).toBeLessThanOrEqual(2);
    expect(await client.callTool("read_file", read)).toEqual(answer);
  },
);

verifies(
  ["s4:sse-endpoint", "s4:sse-events"],
  "over SSE answers and notifications are events, and requests are posted to the address of the first one",
  async () => {
    let stream: ReturnType<typeof events> | undefined;
    const server = await listenScripted(({ method, path, message }, response) => {
      if (method === "GET") {
        stream = events(response);
        return stream.write("event: endpoint\ndata: /messages?session=1\n\n");
      }
      if (path !== "/messages?session=1") return response.writeHead(405).end();
      response.writeHead(202).end();
      if (message.id === undefined) return undefined;
      stream?.write(
        `event: message\n${event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })}`,
      );
      const serverInfo = { name: "old", version: "1" };
      const hello = { protocolVersion: "2024-11-05", capabilities: {}, serverInfo };
      return stream?.write(`event: message\n${event(result(message.id, hello))}`);
    });
    const received: string[] = [];
    const transport = createHttpTransport(server.url);
    const onnotification = (method: string) => void received.push(method);
    const client = await McpClient.connect(transport, { ...info, onnotification, era: "legacy" });
    onTestFinished(() => client.close());
    await client.ping();
    expect(client.server.serverInfo.name).toBe("old");
    expect(received).toContain("notifications/tools/list_changed");
  },
);

verifies("s4:oauth-challenge", "a 401 without a login is an error", async () => {
  const { server } = await listenFixture();
  await expect(connect(server.url)).rejects.toMatchObject({ code: "unauthorized" });
});

verifies(
  ["s4:oauth-challenge", "s4:oauth-flow", "s4:pkce", "s4:state"],
  "a 401 leads to a login with PKCE and state, and to the request again with the token",
  async () => {
    const fixture = await listenFixture();
    await login(fixture);
    const posts = fixture.server.seen.filter(({ path }) => path === "/mcp");
    expect(posts[0]?.headers.authorization).toBeUndefined();
    expect(posts[1]?.headers.authorization).toMatch(/^Bearer access-/);
    expect(posts[1]?.body).toBe(posts[0]?.body);
    const [visit] = fixture.visits;
    const exchange = fixture.issuer.seen.find(({ path }) => path === "/token");
    const token = new URLSearchParams(exchange?.body);
    expect(token.get("grant_type")).toBe("authorization_code");
    const verifier = token.get("code_verifier") ?? "";
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/);
    const hash = createHash("sha256").update(verifier).digest("base64url");
    expect(visit?.get("code_challenge")).toBe(hash);
    expect(visit?.get("code_challenge_method")).toBe("S256");
    const other = await listenFixture();
    await login(other);
    expect(visit?.get("state")?.length).toBeGreaterThanOrEqual(43);
    expect(other.visits[0]?.get("state")).not.toBe(visit?.get("state"));
  },
);

verifies("s4:state", "a redirect with another state is refused", async () => {
  const fixture = await listenFixture();
  fixture.knobs.redirect = { state: "another" };
  await expect(login(fixture)).rejects.toMatchObject({ code: "unauthorized" });
  expect(fixture.issuer.seen.filter(({ path }) => path === "/token")).toEqual([]);
});

verifies(
  ["s4:token-storage", "s4:token-refresh"],
  "tokens are read back from disk, and refreshed before they expire",
  async () => {
    const directory = temporaryFolder("idewire-seed-");
    const fixture = await listenFixture();
    fixture.knobs.expiresIn = 10;
    (await login(fixture, { store: createCredentialFiles({ directory }) })).close();
    const before = fixture.refreshes;
    (await login(fixture, { store: createCredentialFiles({ directory }) })).close();
    expect(fixture.refreshes).toBeGreaterThan(before);
    expect(fixture.visits).toHaveLength(1);
    // A closing session sends DELETE, with a token refreshed in the folder.
    const ended = () => fixture.server.methods.filter((method) => method === "DELETE");
    await expect.poll(ended).toHaveLength(2);
  },
);
