import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  eventsOf,
  getting,
  modernRequest,
  nextMessage,
  openSession,
  posting,
  postingModern,
  request,
} from "../src/http-client.ts";

// How command lines open a conversation over HTTP, as measured with their real versions.

async function open(eras: "both" | "legacy") {
  const server = new McpServer({ name: "s", version: "1", eras });
  server.tool("first", {}, () => "first");
  const listener = await listenMcp(server, { access: "anyone" });
  const left = new AbortController();
  onTestFinished(async () => {
    left.abort();
    await listener.close();
  });
  const send = (init: RequestInit) => fetch(listener.url, { ...init, signal: left.signal });
  return { server, send };
}

const toolNames = (body: unknown) =>
  (
    body as { readonly result: { readonly tools: readonly { readonly name: string }[] } }
  ).result.tools.map(({ name }) => name);

describe.each([
  ["Claude Code", "server-discover-probe-1", "listen:0"],
  ["Copilot CLI", 0, 1],
])("%s, which asks for the modern era first", (_, probe, listen) => {
  test("stays there, listens, and lists the tools again after a change", async () => {
    const { server, send } = await open("both");
    const found = await send(postingModern(modernRequest(probe, "server/discover")));
    expect(await found.json()).toMatchObject({
      id: probe,
      result: { supportedVersions: ["2026-07-28"], capabilities: { tools: { listChanged: true } } },
    });
    const filter = { notifications: { toolsListChanged: true } };
    const stream = await send(postingModern(modernRequest(listen, "subscriptions/listen", filter)));
    const events = eventsOf(stream);
    expect(await nextMessage(events)).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { toolsListChanged: true } },
    });
    const list = async () =>
      toolNames(await (await send(postingModern(modernRequest("l", "tools/list")))).json());
    expect(await list()).toEqual(["first"]);
    server.tool("second", {}, () => "second");
    expect(await nextMessage(events)).toMatchObject({
      method: "notifications/tools/list_changed",
    });
    expect(await list()).toEqual(["first", "second"]);
  });

  test("falls back to a session without a modern era, and receives the change there", async () => {
    const { server, send } = await open("legacy");
    const refused = await send(postingModern(modernRequest(probe, "server/discover")));
    expect([refused.status, await refused.json()]).toMatchObject([400, { id: probe, error: {} }]);
    const session = await openSession(send);
    const events = eventsOf(await send(getting(session)));
    const list = async () =>
      toolNames(await (await send(posting(request(2, "tools/list"), session))).json());
    expect(await list()).toEqual(["first"]);
    server.tool("second", {}, () => "second");
    expect(await nextMessage(events)).toMatchObject({
      method: "notifications/tools/list_changed",
    });
    expect(await list()).toEqual(["first", "second"]);
    const bye = await send({ method: "DELETE", headers: session });
    expect(bye.status).toBe(200);
  });
});

test.each([
  ["opencode", "2025-11-25", true],
  ["Qwen Code", "2025-11-25", true],
  ["Codex", "2025-06-18", true],
  ["Gemini CLI, which never says the version again", "2025-06-18", false],
])("%s opens a session, and lists the tools", async (_, revision, repeats) => {
  const { send } = await open("both");
  const session = await openSession(send, { revision });
  const { "mcp-protocol-version": version, ...rest } = session;
  expect(version).toBe(revision);
  const stream = await send(getting(repeats ? session : rest));
  expect(stream.status).toBe(200);
  const list = await send(posting(request(1, "tools/list"), repeats ? session : rest));
  expect(toolNames(await list.json())).toEqual(["first"]);
});
