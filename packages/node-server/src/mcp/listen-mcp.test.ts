import { request as httpRequest } from "node:http";
import { McpServer } from "@idewire/core/server";
import type { HttpLimits } from "@idewire/http/internal";
import * as v from "valibot";
import { afterEach, expect, test } from "vitest";
import { listenMcp, type McpListener } from "./listen-mcp.ts";

const token = "secret-of-the-test";
const open: McpListener[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

async function start(
  options: { readonly limits?: Partial<HttpLimits>; readonly port?: number } = {},
) {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const echo = { description: "Says it again", input: v.object({ text: v.string() }) };
  server.tool("echo", echo, async ({ text }, call) => {
    call.progress({ progress: 1 });
    return text;
  });
  const listener = await listenMcp(server, { token, ...options });
  open.push(listener);
  return { server, listener };
}

const headers = {
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

function post(url: string, body: unknown, more: Readonly<Record<string, string>> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, { method: "POST", headers: { ...headers, ...more }, body: text });
}

const initialize = {
  ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

async function connect(url: string) {
  const answer = await post(url, initialize);
  const session = answer.headers.get("mcp-session-id") ?? "";
  expect(await answer.json()).toMatchObject({ id: 0, result: { protocolVersion: "2025-11-25" } });
  const received = await post(
    url,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { "mcp-session-id": session },
  );
  expect(received.status).toBe(202);
  return { "mcp-session-id": session };
}

const call = (id: number, meta?: object) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name: "echo", arguments: { text: "hello" }, ...(meta && { _meta: meta }) },
});

test("a client initializes, calls a tool and ends its session", async () => {
  const { listener, server } = await start();
  const session = await connect(listener.url);
  const answer = await post(listener.url, call(1), session);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: "hello" }] } });
  const bye = await fetch(listener.url, { method: "DELETE", headers: { ...headers, ...session } });
  expect(bye.status).toBe(200);
  await expect.poll(() => server.connections.size).toBe(0);
  expect((await post(listener.url, call(2), session)).status).toBe(404);
});

test("notifications before an answer turn the answer into a stream, in order", async () => {
  const { listener } = await start();
  const session = await connect(listener.url);
  const answer = await post(listener.url, call(1, { progressToken: "p" }), session);
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const events = (await answer.text())
    .match(/^data: .*$/gm)
    ?.map((line) => JSON.parse(line.slice(6)));
  expect(events).toMatchObject([{ method: "notifications/progress" }, { id: 1 }]);
});

const cancel = (id: number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: id },
});

test.each([
  ["a notification", { jsonrpc: "2.0", method: "notifications/unknown" }, 202, ""],
  ["an answer to nothing", { jsonrpc: "2.0", id: 5, result: {} }, 202, ""],
  ["an id and nothing to do", { jsonrpc: "2.0", id: 5 }, 400, '"id":5,"error"'],
  ["no message", 5, 400, '"2.0","error":{"code":-32600'],
  ["a request of no version", { id: 5, method: "ping" }, 200, '"id":5,"error"'],
  ["a request that is cancelled in the same batch", [call(7), cancel(7)], 400, "no batches"],
])("%s is answered by its status", async (_, message, status, text) => {
  const { listener } = await start();
  const session = await connect(listener.url);
  const answer = await post(listener.url, message, session);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toContain(text);
});

test("a batch has one answer, in the revision that has batches", async () => {
  const { listener } = await start();
  const old = { ...initialize.params, protocolVersion: "2025-03-26" };
  const hello = await post(listener.url, { ...initialize, params: old });
  const session = { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "" };
  const statusOf = async (batch: unknown) => (await post(listener.url, batch, session)).status;
  expect(await statusOf([{ jsonrpc: "2.0", method: "notifications/initialized" }])).toBe(202);
  expect(await statusOf([1, {}])).toBe(400);
  expect(await statusOf([call(7), cancel(7)])).toBe(202);
  const answer = await post(listener.url, [call(1), { id: 2, method: "ping" }, call(3)], session);
  expect(answer.status).toBe(200);
  const answers = (await answer.json()) as unknown[];
  expect(answers.length).toBe(3);
  for (const id of [1, 3])
    expect(answers).toContainEqual(expect.objectContaining({ id, result: expect.anything() }));
});

test("messages outside of calls go to the stream of a GET, the newest alone", async () => {
  const { listener, server } = await start();
  const session = await connect(listener.url);
  const first = await fetch(listener.url, { headers: { ...headers, ...session } });
  const events = await fetch(listener.url, { headers: { ...headers, ...session } });
  expect(await first.text()).not.toContain("list_changed");
  server.emit("notifications/tools/list_changed");
  const reader = events.body?.getReader();
  let received = "";
  while (!received.includes("notifications/tools/list_changed")) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    expect(done).toBe(false);
    received += new TextDecoder().decode(value);
  }
  await reader?.cancel();
});

const unread = { jsonrpc: "2.0" };
test.each([
  ["no token", { authorization: "" }, 401, unread],
  ["a wrong token", { authorization: "Bearer nonsense" }, 401, unread],
  ["a web page", { origin: "https://evil.example" }, 403, unread],
  ["a page of our own origin", { origin: "own" }, 403, unread],
  ["a request for a page", { accept: "text/html" }, 406, unread],
  ["an unknown revision", { "mcp-protocol-version": "1999-01-01" }, 400, { ...unread, id: 0 }],
  ["an unknown session", { "mcp-session-id": "nobody" }, 404, { ...unread, id: 0 }],
  ["a form", { "content-type": "text/plain" }, 415, unread],
])(
  "%s is refused, with the id of the request if it was read",
  async (_, more, status, envelope) => {
    const { listener, server } = await start();
    const own = "origin" in more &&
      more.origin === "own" && { origin: new URL(listener.url).origin };
    const answer = await post(listener.url, initialize, { ...more, ...own });
    expect(answer.status).toBe(status);
    const error = { code: -32_600, message: expect.any(String) };
    expect(await answer.json()).toEqual({ ...envelope, error });
    expect(server.connections.size).toBe(0);
  },
);

test("a name that resolves here is refused by its Host", async () => {
  const { listener } = await start();
  const status = await new Promise((resolve) => {
    const options = { port: listener.port, method: "POST", path: "/mcp" };
    httpRequest({ ...options, headers: { ...headers, host: "evil.example" } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end("{}");
  });
  expect(status).toBe(403);
});

test.each([
  ["a body that is not JSON", "{", 400, -32700],
  ["a call before hello", call(1), 400, -32600],
  ["a body beyond the limit", `"${"x".repeat(5_000_000)}"`, 413, -32600],
])("%s is refused with a message", async (_, body, status, code) => {
  const { listener } = await start();
  const answer = await post(listener.url, body);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ error: { code } });
});

test("sessions are limited", async () => {
  const { listener } = await start({ limits: { maxSessions: 1 } });
  const session = await connect(listener.url);
  const events = await fetch(listener.url, { headers: { ...headers, ...session } });
  expect((await post(listener.url, initialize)).status).toBe(503);
  await events.body?.cancel();
});

test("an occupied port is not replaced by another", async () => {
  const { listener } = await start();
  await expect(start({ port: listener.port })).rejects.toMatchObject({ code: "port-in-use" });
});

test.each(["", "short"])("an invalid token admits nobody: %j", async (none) => {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  await expect(listenMcp(server, { token: none })).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining("expected 16 bytes or more"),
  });
});

test("an abandoned session is replaced by a new one", async () => {
  const { listener } = await start({ limits: { maxSessions: 2 } });
  const gone = await connect(listener.url);
  const kept = await connect(listener.url);
  await connect(listener.url);
  expect((await post(listener.url, call(1), gone)).status).toBe(404);
  expect((await post(listener.url, call(1), kept)).status).toBe(200);
});

test("closing ends pending requests, and frees the port", async () => {
  const { listener } = await start();
  const session = await connect(listener.url);
  const events = await fetch(listener.url, { headers: { ...headers, ...session } });
  await listener.close();
  open.splice(0);
  await events.text().catch(() => "");
  await expect(fetch(listener.url)).rejects.toThrow();
});
