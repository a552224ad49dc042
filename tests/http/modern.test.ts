import { McpServer } from "@idewire/core/server";
import type { LegacyMode } from "@idewire/http/internal";
import { listenMcp } from "@idewire/node-server";
import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  carriedByThree,
  carriers,
  eventsOf,
  type Headers,
  modernRequest,
  nextMessage,
  openSession,
  posting,
  postingModern,
  request,
} from "../src/http-client.ts";

// MCP 2026-07-28, Basic / Transports / Streamable HTTP.

const region = {
  type: "object",
  properties: {
    place: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    count: { type: "integer", "x-mcp-header": "Count" },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
  },
} as const;

function createServer() {
  const aborted: string[] = [];
  const started: string[] = [];
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("who", {}, (_, { context }) => String(context));
  server.tool("region", { input: region }, (args) => JSON.stringify(args));
  server.tool("wait", {}, (_, call) => {
    started.push("wait");
    call.progress({ progress: 1 });
    call.log("info", "waiting");
    return new Promise<never>((_resolve, reject) => {
      call.signal.addEventListener("abort", () => {
        aborted.push("wait");
        reject(call.signal.reason);
      });
    });
  });
  server.tool("ask", {}, async (_, call) => {
    const form = v.object({ name: v.string() });
    return (await call.ask("Who?", form, { key: "who" })).action;
  });
  return { server, aborted, started };
}

const everywhere = { ...carriers, "three instances": carriedByThree };

describe.each(Object.entries(everywhere))("over the %s", (_, carry) => {
  async function open(options: { readonly legacy?: LegacyMode } = {}) {
    const made = createServer();
    const { server } = made;
    const endpoint = await carry({ server, context: "of the listener", ...options });
    onTestFinished(() => endpoint.close());
    const call = async (message: object, headers: Headers = {}) => {
      const answer = await endpoint.send(postingModern(message, headers));
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    return { ...made, ...endpoint, server, call };
  }

  test("a request needs no session, and gets none", async () => {
    const { send } = await open();
    const message = modernRequest(1, "tools/call", { name: "who", arguments: {} });
    const ignored = { "mcp-session-id": "made-up", "last-event-id": "made-up" };
    const answer = await send(postingModern(message, ignored));
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { id: 1, result: { resultType: "complete", content: [{ text: "of the listener" }] } },
    ]);
  });

  const whoCall = modernRequest("w", "tools/call", { name: "who", arguments: {} });
  test.each([
    ["no version", { "mcp-protocol-version": "" }, "MCP-Protocol-Version"],
    ["the version of a session", { "mcp-protocol-version": "2025-11-25" }, "MCP-Protocol-Version"],
    ["no method", { "mcp-method": "" }, "Mcp-Method"],
    ["another method", { "mcp-method": "prompts/get" }, "Mcp-Method"],
    ["a method in capitals", { "mcp-method": "TOOLS/CALL" }, "Mcp-Method"],
    ["no name", { "mcp-name": "" }, "Mcp-Name"],
    ["another name", { "mcp-name": "region" }, "Mcp-Name"],
    ["a name in invalid base64", { "mcp-name": "=?base64?d2hv!?=" }, "Mcp-Name"],
    ["a name whose base64 is not UTF-8", { "mcp-name": "=?base64?//8=?=" }, "Mcp-Name"],
  ])("a request with %s in its headers is refused", async (__, headers, named) => {
    const { call } = await open();
    expect(await call(whoCall, headers)).toMatchObject({
      status: 400,
      body: { id: "w", error: { code: -32_020, message: expect.stringContaining(named) } },
    });
  });

  test("a name in base64 is decoded, and one that only looks like it is used as it is", async () => {
    const { call } = await open();
    expect(await call(whoCall, { "mcp-name": "=?base64?d2hv?=" })).toMatchObject({ status: 200 });
    expect(await call(whoCall, { "mcp-name": "=?base64?d2hv" })).toMatchObject({ status: 400 });
    expect(await call(whoCall, { "mcp-name": "=?BASE64?d2hv?=" })).toMatchObject({ status: 400 });
  });

  const args = { place: { region: "Köln" }, count: 42, dry: false };
  const encoded = "=?base64?S8O2bG4=?=";
  const right = {
    "mcp-param-region": encoded,
    "mcp-param-count": "42.0",
    "mcp-param-dry": "false",
  };
  test.each<readonly [string, object, Headers, number]>([
    ["in the head as in the body", args, right, 200],
    ["in neither", {}, {}, 200],
    ["null in the body alone", { count: null }, {}, 200],
    ["in the body alone", { count: 42 }, {}, 400],
    ["in the head alone", {}, { "mcp-param-count": "42" }, 400],
    ["another in the head", args, { ...right, "mcp-param-dry": "true" }, 400],
    ["of another case in the head", args, { ...right, "mcp-param-dry": "False" }, 400],
    ["another number in the head", args, { ...right, "mcp-param-count": "43" }, 400],
    ["no number in the head", { count: 0 }, { "mcp-param-count": " " }, 400],
  ])("arguments %s", async (__, given, headers, status) => {
    const { call } = await open();
    const message = modernRequest(5, "tools/call", { name: "region", arguments: given });
    const answer = await call(message, headers);
    // Whether the schema accepts null does not matter here.
    expect(answer).toMatchObject({ status, body: { id: 5 } });
    if (status === 400) expect(answer.body).toMatchObject({ error: { code: -32_020 } });
  });

  const half = (keys: object) => ({ jsonrpc: "2.0", id: 3, method: "tools/list", params: keys });
  const version = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  test.each([
    ["no _meta", half({}), "2026-07-28", 400, -32_602],
    ["a _meta that is not an object", half({ _meta: 5 }), "2026-07-28", 400, -32_602],
    ["half a _meta", half({ _meta: version }), "2026-07-28", 400, -32_602],
    ["an unknown method", modernRequest(3, "no/such"), "2026-07-28", 404, -32_601],
    ["a method of sessions", modernRequest(3, "ping"), "2026-07-28", 404, -32_601],
    ["initialize", modernRequest(3, "initialize"), "2026-07-28", 404, -32_601],
    ["an unknown tool", modernRequest(3, "tools/call", { name: "no" }), "2026-07-28", 200, -32_602],
    [
      "a future revision",
      modernRequest(3, "tools/list", {}, "2099-01-01"),
      "2099-01-01",
      400,
      -32_022,
    ],
  ])("%s is answered by its status and its code", async (__, message, revision, status, code) => {
    const { call } = await open();
    const answer = await call(message, { "mcp-protocol-version": revision });
    expect(answer).toMatchObject({ status, body: { id: 3, error: { code } } });
  });

  test.each([
    ["a batch", [whoCall]],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }],
    ["a number", 5],
    ["an id of null", { ...whoCall, id: null }],
  ])("%s is refused, without an id", async (__, message) => {
    const { send } = await open();
    const answer = await send(posting(message, { "mcp-protocol-version": "2026-07-28" }));
    expect(answer.status).toBe(400);
    const body = (await answer.json()) as object;
    expect(body).toMatchObject({ error: { code: -32_600 } });
    expect("id" in body && body.id === null).toBe(false);
  });

  test("a notification is accepted, and not answered", async () => {
    const { send } = await open();
    const message = { jsonrpc: "2.0", method: "notifications/unknown" };
    const answer = await send(posting(message, { "mcp-protocol-version": "2026-07-28" }));
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
  });

  test("closing the stream cancels, and nothing else does", async () => {
    const { send, aborted, started } = await open();
    const cut = new AbortController();
    const meta = { progressToken: "p" };
    const message = modernRequest(1, "tools/call", { name: "wait", arguments: {}, _meta: meta });
    const stream = await send(postingModern(message, {}, cut.signal));
    expect(await nextMessage(eventsOf(stream))).toMatchObject({ method: "notifications/progress" });
    const method = "notifications/cancelled";
    const taken = { jsonrpc: "2.0", method, params: { requestId: 1 } };
    await send(posting(taken, { "mcp-protocol-version": "2026-07-28" }));
    expect([started, aborted]).toEqual([["wait"], []]);
    cut.abort();
    await expect.poll(() => aborted).toEqual(["wait"]);
  });

  test("two clients may use one id at the same time", async () => {
    const { send, started, call } = await open();
    const cut = new AbortController();
    const wait = modernRequest(1, "tools/call", { name: "wait", arguments: {} });
    void send(postingModern(wait, {}, cut.signal)).catch(() => {});
    await expect.poll(() => started.length).toBe(1);
    const other = modernRequest(1, "tools/call", { name: "who", arguments: {} });
    expect(await call(other)).toMatchObject({ status: 200, body: { id: 1, result: {} } });
    cut.abort();
  });

  test("a log message is sent only to clients that request it", async () => {
    const { send } = await open();
    const wanted = { "io.modelcontextprotocol/logLevel": "info" };
    const cut = new AbortController();
    onTestFinished(() => cut.abort());
    const message = modernRequest(1, "tools/call", { name: "wait", arguments: {}, _meta: wanted });
    const events = eventsOf(await send(postingModern(message, {}, cut.signal)));
    expect(await nextMessage(events)).toMatchObject({ method: "notifications/message" });
  });

  test("a question travels in the result, and its answer in the retry", async () => {
    const { call } = await open();
    const able = { elicitation: {} };
    const ask = (more: object) =>
      modernRequest(1, "tools/call", { name: "ask", arguments: {}, ...more }, undefined, able);
    const { body } = await call(ask({}));
    const { requestState, inputRequests } = body["result"] as Record<string, unknown>;
    expect(inputRequests).toMatchObject({ who: { method: "elicitation/create" } });
    const inputResponses = { who: { action: "decline" } };
    expect(await call(ask({ requestState, inputResponses }))).toMatchObject({
      body: { result: { resultType: "complete", content: [{ text: "decline" }] } },
    });
    const tampered = `${String(requestState).slice(0, -2)}AA`;
    expect(await call(ask({ requestState: tampered, inputResponses }))).toMatchObject({
      body: { error: { code: -32_602 } },
    });
  });

  test("a listener receives the subscribed notifications, and its stream ends with the endpoint", async () => {
    const { send, server, close } = await open();
    const filter = { notifications: { toolsListChanged: true } };
    const stream = await send(
      postingModern(modernRequest("listen:0", "subscriptions/listen", filter)),
    );
    const events = eventsOf(stream);
    const tagged = { _meta: { "io.modelcontextprotocol/subscriptionId": "listen:0" } };
    expect(await nextMessage(events)).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: tagged,
    });
    server.tool("new", { description: "New" }, () => "");
    expect(await nextMessage(events)).toMatchObject({
      method: "notifications/tools/list_changed",
      params: tagged,
    });
    await close();
    expect(await nextMessage(events).catch(() => undefined)).toBeUndefined();
    await expect.poll(() => server.connections.size).toBe(0);
  });

  test("both eras are served side by side", async () => {
    const { send, call } = await open();
    const session = await openSession(send);
    expect(await call(whoCall)).toMatchObject({ status: 200 });
    const ping = await send(posting(request(2, "ping"), session));
    expect(await ping.json()).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  test("without the legacy era initialize is answered with the supported revisions", async () => {
    const { send } = await open({ legacy: "off" });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} };
    const answer = await send(posting(request(0, "initialize", params)));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      id: 0,
      error: { code: -32_022, data: { supported: ["2026-07-28"], requested: "2025-11-25" } },
    });
    for (const method of ["GET", "DELETE"]) {
      const refused = await send({ method, headers: { accept: "text/event-stream" } });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  test("a server of the legacy era refuses without terms of the modern one", async () => {
    const server = new McpServer({ name: "s", version: "1", eras: "legacy" });
    const { send, close } = await carry({ server, context: undefined });
    onTestFinished(close);
    const answer = await send(postingModern(modernRequest("probe", "server/discover")));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ id: "probe", error: { code: -32_600 } });
  });
});

test("an endpoint without any era is refused", async () => {
  const server = new McpServer({ name: "s", version: "1", eras: "legacy" });
  await expect(listenMcp(server, { access: "anyone", legacy: "off" })).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining("legacy"),
  });
});
