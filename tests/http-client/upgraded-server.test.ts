import type { McpClient } from "@idewire/core/client";
import { expect, test, vi } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import {
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

const refused = (id: number | undefined) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32_601, message: "no such method" },
});

/** A client that found its server in the legacy era; now it supports only the modern one. */
async function connectBeforeUpgrade(upgraded: ScriptedAnswer, refusal?: string) {
  const old: ScriptedAnswer = withSessions(({ message: { id, method } }, response) => {
    if (method === "server/discover") json(response, refused(id), {}, 400);
    else return false;
  });
  const server = await new ScriptedHttpServer(old).listen();
  const client = await connectOverHttp(server, { era: "auto" });
  // After an answer, the server has received `notifications/initialized`.
  await client.ping();
  let hasEnded = false;
  server.answer = (seen, response) => {
    const { id, method } = seen.message;
    const headers = { "mcp-session-id": "of-none" };
    if (!hasEnded) {
      hasEnded = true;
      response.writeHead(404).end();
    } else if (method === "initialize") {
      if (refusal === undefined) json(response, refused(id), headers);
      else response.writeHead(400).end(refusal);
    } else if (method === "server/discover") {
      const capabilities = { tools: {} };
      json(response, result(id, { supportedVersions: ["2026-07-28"], capabilities }));
    } else return upgraded(seen, response);
  };
  return { client, server };
}

test.each([
  ["call of the ended session", []],
  ["later call", ["quick"]],
])(
  "after a refused initialize, cancelling a %s closes its stream, and sends nothing else",
  async (_, firstCalls) => {
    const begun = vi.fn();
    const closed = vi.fn();
    const { client, server: scripted } = await connectBeforeUpgrade(({ message }, response) => {
      if (message.params?.["name"] === "quick") json(response, result(message.id, { content: [] }));
      else if (message.method === "tools/call") {
        events(response).on("close", closed);
        begun();
      } else response.writeHead(400).end();
    });
    await using server = scripted;
    for (const name of firstCalls) await client.callTool(name);
    const controller = new AbortController();
    const call = client.callTool("slow", {}, { signal: controller.signal });
    await expect.poll(() => begun).toHaveBeenCalled();
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "cancelled" });
    await expect.poll(() => closed).toHaveBeenCalled();
    expect(client.server.protocolVersion).toBe("2026-07-28");
    expect(server.methods.at(-1)).toBe("tools/call");
    client.close();
  },
);

test.each<[string, (client: McpClient) => Promise<unknown>, object]>([
  ["tools/call", (client) => client.callTool("pay"), { name: "pay", arguments: {} }],
  ["server/discover", (client) => client.ping(), {}],
])(
  "a message of an ended session is resent in the modern era, as %s",
  async (method, send, params) => {
    const answer = { resultType: "complete", content: [] };
    const { client, server: scripted } = await connectBeforeUpgrade(({ message }, response) =>
      json(response, result(message.id, answer)),
    );
    await using server = scripted;
    await send(client);
    const { message, headers } = server.seen.at(-1) ?? {};
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    expect(message).toMatchObject({ method, params: { ...params, _meta: meta } });
    expect(headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-method": method });
    expect(headers).not.toHaveProperty("mcp-session-id");
    client.close();
  },
);

test("after initialize has named a session, a modern 404 is an answer, and ends nothing", async () => {
  const answer = { content: [] };
  const { client, server: scripted } = await connectBeforeUpgrade(({ message }, response) => {
    const { id, method } = message;
    if (method === "tools/call") json(response, result(id, answer));
    else json(response, refused(id), {}, 404);
  });
  await using server = scripted;
  expect(await client.callTool("fine")).toEqual(answer);
  const before = server.seen.length;
  await expect(client.request("custom/unknown", {})).rejects.toMatchObject({ code: -32_601 });
  expect(await client.callTool("fine")).toEqual(answer);
  expect(server.methods.slice(before)).toEqual(["custom/unknown", "tools/call"]);
  client.close();
});

test("a server that refuses initialize in plain text is probed for the modern era, too", async () => {
  const answer = { resultType: "complete", content: [] };
  const { client, server: scripted } = await connectBeforeUpgrade(
    ({ message }, response) => json(response, result(message.id, answer)),
    "unsupported protocol version",
  );
  await using _ = scripted;
  expect(await client.callTool("pay")).toMatchObject({ content: [] });
  expect(client.server.protocolVersion).toBe("2026-07-28");
  client.close();
});
