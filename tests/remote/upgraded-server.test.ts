import { McpClient, modernClientEra, reopening } from "@idewire/core";
import { createHttpTransport } from "@idewire/remote";
import { expect, test, vi } from "vitest";
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

/** A client that has met a server in the legacy era, which speaks the modern one alone by now. */
async function connectBeforeUpgrade(upgraded: ScriptedAnswer) {
  const old: ScriptedAnswer = withSessions(({ message: { id, method } }, response) => {
    if (method === "server/discover") json(response, refused(id), {}, 400);
    else return false;
  });
  const server = await new ScriptedHttpServer(old).listen();
  const open = reopening(() => createHttpTransport(server.url, { listen: false }));
  const eras = { modern: modernClientEra() };
  const client = await McpClient.connect(open, { info: { name: "me", version: "1" }, eras });
  // By then the server has heard that the session has begun.
  await client.ping();
  let hasEnded = false;
  server.answer = (seen, response) => {
    const { id, method } = seen.message;
    const headers = { "mcp-session-id": "of-none" };
    if (!hasEnded) {
      hasEnded = true;
      response.writeHead(404).end();
    } else if (method === "initialize") json(response, refused(id), headers);
    else if (method === "server/discover") {
      const capabilities = { tools: {} };
      json(response, result(id, { supportedVersions: ["2026-07-28"], capabilities }));
    } else return upgraded(seen, response);
  };
  return { client, server };
}

test.each([
  ["modern call closes its stream, and says nothing else", "tools/call", ["quick"]],
  ["call of the ended session closes its stream, too", "notifications/cancelled", []],
])("after initialize was refused, who cancels a %s", async (_, last, firstCalls) => {
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
  expect(server.methods.at(-1)).toBe(last);
  client.close();
});

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
  await expect(client.send("custom/unknown", {})).rejects.toMatchObject({ code: -32_601 });
  expect(await client.callTool("fine")).toEqual(answer);
  expect(server.methods.slice(before)).toEqual(["custom/unknown", "tools/call"]);
  client.close();
});
