import { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { listenMcp } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";

const ping = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  },
});

const makeServer = () => new McpServer({ name: "s", version: "1" });

const post = (body: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body,
});

async function listen() {
  const listener = await listenMcp(makeServer(), { access: "anyone" });
  onTestFinished(() => listener.close());
  return listener.url;
}

test("a byte order mark before a message is ignored by the listener", async () => {
  const response = await fetch(await listen(), post(`\uFEFF${ping}`));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"serverInfo"');
});

test("a byte order mark before a message is ignored by the fetch handler", async () => {
  const handler = createMcpHandler(makeServer(), { access: "anyone" });
  onTestFinished(() => handler.close());
  const response = await handler.fetch(new Request("http://localhost/mcp", post(`\uFEFF${ping}`)));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"serverInfo"');
});

test("a byte order mark within a message, or two before it, is a parse error", async () => {
  const url = await listen();
  for (const body of [`\uFEFF\uFEFF${ping}`, `${ping}\uFEFF`]) {
    const response = await fetch(url, post(body));
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("-32700"),
    ]);
  }
});

test("the address of a listener may end in a slash", async () => {
  const url = await listen();
  expect((await fetch(`${url}/`, post(ping))).status).toBe(200);
  expect((await fetch(`${url}//`, post(ping))).status).toBe(404);
  expect((await fetch(`${url}/other`, post(ping))).status).toBe(404);
});
