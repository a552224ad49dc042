import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { toNodeHandler } from "@idewire/node-server";
import * as v from "valibot";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  calling,
  carriedByThree,
  carriers,
  type EndpointOptions,
  eventsOf,
  getting,
  nextMessage,
  openSession,
  posting,
  request,
} from "../src/http-client.ts";

const makeServer = () => {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("ask", {}, async (_, call) =>
    JSON.stringify(await call.ask("Who?", v.object({ name: v.string() }))),
  );
  server.tool("any", { input: v.looseObject({}) }, () => "ran");
  return server;
};

const all = { ...carriers, "three instances": carriedByThree };

describe.each(Object.entries(all))("over the %s", (_, carry) => {
  async function open(options: Partial<EndpointOptions> = {}) {
    const server = makeServer();
    const all = { context: undefined, ...options, server } as EndpointOptions;
    const endpoint = await carry(all);
    onTestFinished(() => endpoint.close());
    return { ...endpoint, server };
  }

  test("a client that disconnects during a question frees its place", async () => {
    const { send } = await open({ limits: { maxSessions: 1, keepAliveMs: 500 } });
    const first = await openSession(send, { capabilities: { elicitation: {} } });
    const cut = new AbortController();
    const events = eventsOf(await send(posting(calling(1, "ask"), first, cut.signal)));
    expect(await nextMessage(events)).toMatchObject({ method: "elicitation/create" });
    await expect(openSession(send)).rejects.toThrow("Too many sessions");
    cut.abort();
    await events.next().catch(() => {});
    await expect.poll(() => openSession(send).catch(() => undefined)).toBeDefined();
    expect((await send(posting(request(2, "ping"), first))).status).toBe(404);
  });

  test("its session ends after its idle time", async () => {
    const { send, server } = await open({ limits: { sessionIdleMs: 100, keepAliveMs: 20 } });
    const session = await openSession(send, { capabilities: { elicitation: {} } });
    const cut = new AbortController();
    const events = eventsOf(await send(posting(calling(1, "ask"), session, cut.signal)));
    await nextMessage(events);
    cut.abort();
    await events.next().catch(() => {});
    await expect.poll(() => server.connections.size).toBe(0);
  });

  test.each([300, 4_000, 8_000])(
    "arguments of %i levels are refused with their depth",
    async (levels) => {
      const { send } = await open();
      const session = await openSession(send);
      const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
      const body = JSON.stringify(calling(1, "any", { deep: "?" })).replace('"?"', deep);
      const answer = await send(posting(body, session));
      expect(await answer.json()).toMatchObject({
        id: 1,
        error: {
          code: -32_602,
          message: "Invalid params: expected at most 200 levels, got more",
        },
      });
    },
  );

  test("an id twice in flight is a 400, and the other call is answered", async () => {
    const { send } = await open();
    const session = await openSession(send, { capabilities: { elicitation: {} } });
    const events = eventsOf(await send(posting(calling(7, "ask"), session)));
    const question = (await nextMessage(events)) as { readonly id: number };
    const second = await send(posting(calling(7, "any"), session));
    expect(second.status).toBe(400);
    expect(await second.json()).toMatchObject({
      id: 7,
      error: { code: -32_600, message: "Invalid Request: id 7 is still in use" },
    });
    const answer = { jsonrpc: "2.0", id: question.id, result: { action: "decline" } };
    await send(posting(answer, session));
    expect(await nextMessage(events)).toMatchObject({ id: 7, result: {} });
  });

  test.each<[string, object]>([
    ["without parameters", request(1, "initialize")],
    ["with an invalid id", { ...request(1, "initialize"), id: [] }],
    ["that is a notification", { jsonrpc: "2.0", method: "initialize" }],
    ["of another JSON-RPC", { ...request(1, "initialize"), jsonrpc: "1.0" }],
  ])("an initialize %s opens no session, and takes no other's place", async (_name, message) => {
    const { send, server } = await open({ limits: { maxSessions: 1 } });
    const session = await openSession(send);
    const answer = await send(posting(message));
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect((await send(posting(request(1, "ping"), session))).status).toBe(200);
    // None, where no connection lasts longer than a request.
    await expect.poll(() => server.connections.size).toBeLessThan(2);
  });

  test.each([
    ["APPLICATION/JSON, Text/Event-Stream", 200],
    ["application/json;q=0.1", 200],
    ["text/*", 200],
    ["*/*;q=0, application/json", 200],
    ["application/json;q=0, text/event-stream; Q=0", 406],
    ["*/*;q=0", 406],
    ["application/jsonx", 406],
    ["application/json-patch+json, text/html", 406],
  ])("a POST that accepts %s is answered by %i", async (accept, status) => {
    const { send } = await open();
    const session = await openSession(send);
    const answer = await send(posting(request(1, "ping"), { ...session, accept }));
    expect(answer.status).toBe(status);
  });

  test("a media type that the client excludes is not sent", async () => {
    const { send } = await open();
    const session = await openSession(send);
    const accept = "application/json;q=0, */*";
    const answer = await send(posting(request(1, "ping"), { ...session, accept }));
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const none = { ...session, accept: "text/event-stream;q=0, */*" };
    expect((await send(getting(none))).status).toBe(406);
  });

  test.each([
    ["application/json", 200],
    ["Application/JSON; charset=utf-8", 200],
    ["application/json ;charset=utf-8", 200],
    ["application/jsonx", 415],
    ["application/json-patch+json", 415],
    ["text/plain; application/json", 415],
  ])("a body of %s gets %i", async (type, status) => {
    const { send } = await open();
    const session = await openSession(send);
    const answer = await send(posting(request(1, "ping"), { ...session, "content-type": type }));
    expect(answer.status).toBe(status);
  });

  test.each(["[]", "[1]", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'])(
    "the refusal of the batch %s has no id",
    async (body) => {
      const { send } = await open();
      const session = await openSession(send);
      const answer = await send(posting(body, session));
      expect(answer.status).toBe(400);
      expect(Object.keys((await answer.json()) as object)).toEqual(["jsonrpc", "error"]);
    },
  );
});

/** An application that reads bodies before it calls the handler. */
async function mount(read: (request: Parameters<RequestListener>[0]) => Promise<unknown>) {
  const errors: string[] = [];
  const onerror = ({ message }: Error) => void errors.push(message);
  const handler = createMcpHandler(makeServer(), { access: "anyone", onerror });
  const answer = toNodeHandler(handler);
  const http = createServer((request, response) => {
    void read(request).then(() => answer(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    handler.close();
    http.close();
    http.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { send: (init: RequestInit) => fetch(url, init), errors };
}

test("a body that a parser has attached to the request is used", async () => {
  const { send } = await mount(async (request) => {
    Object.assign(request, { body: await json(request) });
  });
  expect((await openSession(send))["mcp-session-id"]).toBeDefined();
});

test("a body that was read and discarded is a 500, reported at both ends", async () => {
  const { send, errors } = await mount((request) => json(request));
  const answer = await send(posting(request(1, "ping")));
  expect(answer.status).toBe(500);
  const message = "The application has read the body, and passed on nothing of it";
  expect(await answer.json()).toMatchObject({ error: { code: -32_603, message } });
  expect(errors).toEqual(["The body was read already: leave it, or put it on request.body"]);
});
