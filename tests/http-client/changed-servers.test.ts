import type { McpClient } from "@idewire/core/client";
import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import {
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

const answer = { content: [] };
const discovery = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };

const modern: ScriptedAnswer = ({ message: { id, method } }, response) =>
  json(response, result(id, method === "server/discover" ? discovery : answer));

/** How servers of the legacy era refuse requests without a session. */
const refusals: readonly (readonly [string, ScriptedAnswer])[] = [
  ["HTTP 400 in words", (_, response) => response.writeHead(400).end("no session")],
  ["HTTP 404", (_, response) => response.writeHead(404).end()],
  [
    "a JSON-RPC error",
    ({ message: { id } }, response) =>
      json(
        response,
        { jsonrpc: "2.0", id, error: { code: -32_000, message: "no session" } },
        {},
        400,
      ),
  ],
];

/** A client that found its server in the modern era; now it supports only the legacy one. */
async function connectBefore(refuse: ScriptedAnswer) {
  const server = await new ScriptedHttpServer(modern).listen();
  const client = await connectOverHttp(server, { era: "auto" });
  await client.callTool("a");
  server.answer = withSessions((seen, response) => {
    const { id, method } = seen.message;
    if (seen.headers["mcp-session-id"] === undefined && method !== "initialize") {
      return refuse(seen, response);
    }
    return method === "tools/call" ? json(response, result(id, answer)) : false;
  });
  server.seen.length = 0;
  return { client, server };
}

const says: readonly (readonly [string, (client: McpClient) => Promise<unknown>])[] = [
  ["a tool", (client) => client.callTool("a")],
  ["a list", (client) => client.request("tools/list", {})],
];

test.each(
  refusals.flatMap(([how, refuse]) => says.map(([what, say]) => [how, what, refuse, say] as const)),
)(
  "a server that returns in the legacy era, and refuses by %s, is negotiated with again for %s",
  async (...all) => {
    const [, , refuse, say] = all;
    const { client, server: scripted } = await connectBefore(refuse);
    await using server = scripted;
    await say(client);
    expect(client.server.protocolVersion).toBe("2025-11-25");
    expect(server.methods.filter((method) => method === "initialize")).toHaveLength(1);
    const before = server.seen.length;
    await client.callTool("again");
    expect(server.methods.slice(before)).toEqual(["tools/call"]);
    client.close();
  },
);

test("a call that the legacy server refuses, too, fails with that error", async () => {
  const { client, server: scripted } = await connectBefore((_, response) =>
    response.writeHead(404).end(),
  );
  await using server = scripted;
  const { answer: usual } = server;
  server.answer = (seen, response) => {
    const { id, method } = seen.message;
    if (method !== "tools/call" || seen.headers["mcp-session-id"] === undefined) {
      return usual(seen, response);
    }
    json(response, { jsonrpc: "2.0", id, error: { code: -32_000, message: "no such tool" } });
  };
  await expect(client.callTool("a")).rejects.toMatchObject({ message: "no such tool" });
  await expect(client.callTool("b")).rejects.toMatchObject({ message: "no such tool" });
  expect(server.seen.filter(({ headers }) => headers["mcp-session-id"] !== undefined)).toHaveLength(
    3,
  );
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(1);
  client.close();
});

test("concurrent calls share one negotiation, and each is carried out once", async () => {
  const { client, server: scripted } = await connectBefore((_, response) =>
    response.writeHead(404).end(),
  );
  await using server = scripted;
  const names = Array.from({ length: 20 }, (_, index) => `tool ${index}`);
  await Promise.all(names.map((name) => client.callTool(name)));
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(1);
  const carriedOut = server.seen
    .filter(({ headers, message }) => headers["mcp-session-id"] && message.method === "tools/call")
    .map(({ message }) => message.params?.["name"]);
  expect(carriedOut.sort()).toEqual(names.sort());
  client.close();
});

test.each([-32_602, -32_600, -32_000])(
  "a modern server whose answer is the error %i is not probed",
  async (code) => {
    await using server = await new ScriptedHttpServer((seen, response) => {
      const { id, method } = seen.message;
      if (method !== "tools/call") return modern(seen, response);
      json(response, { jsonrpc: "2.0", id, error: { code, message: "no such tool" } });
    }).listen();
    const client = await connectOverHttp(server, { era: "auto" });
    await expect(client.callTool("a")).rejects.toMatchObject({ code });
    expect(server.methods).toEqual(["server/discover", "tools/call"]);
    client.close();
  },
);

test("a call waits for a new negotiation no longer than its own limits", async () => {
  const { client, server: scripted } = await connectBefore((_, response) =>
    response.writeHead(404).end(),
  );
  await using server = scripted;
  const { answer: usual } = server;
  server.answer = (seen, response) => {
    if (seen.message.method !== "server/discover") return usual(seen, response);
  };
  const controller = new AbortController();
  const others = client.callTool("patient");
  const late = client.callTool("a", {}, { timeoutMs: 200 });
  const cancelled = client.callTool("b", {}, { signal: controller.signal });
  await expect(late).rejects.toMatchObject({ code: "timeout" });
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
  expect(server.methods.filter((method) => method === "server/discover")).toHaveLength(1);
  client.close();
  await expect(others).rejects.toThrow();
});
