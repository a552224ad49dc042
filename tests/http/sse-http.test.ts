import { McpServer, memoryStore } from "@idewire/core/server";
import type { RequestHead } from "@idewire/http";
import { listenMcp } from "@idewire/node-server";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import {
  calling,
  type EndpointOptions,
  getting,
  posting,
  request,
  toParameters,
} from "../src/http-client.ts";
import { sseReader } from "../src/sse-reader.ts";

// MCP 2024-11-05, Transports / HTTP with SSE.

async function open(options: Partial<EndpointOptions> = {}, store = memoryStore()) {
  const server = new McpServer({ name: "s", version: "1", store });
  server.tool("ask", {}, async (_, call) => {
    const { action } = await call.ask("Who?", v.object({ name: v.string() }));
    return action;
  });
  const all = { context: undefined, ssePath: "/sse", ...options, server };
  const listener = await listenMcp(...toParameters(all as EndpointOptions));
  onTestFinished(() => listener.close());
  const url = new URL("/sse", listener.url);
  const stream = async (headers: Readonly<Record<string, string>> = {}) => {
    const cut = new AbortController();
    onTestFinished(() => cut.abort());
    const response = await fetch(url, getting(headers, cut.signal));
    return { response, next: sseReader(response), leave: () => cut.abort() };
  };
  const post = (address: string, message: unknown, headers = {}) =>
    fetch(new URL(address, url), posting(message, headers));
  return { server, listener, url, stream, post };
}

const hello = (capabilities: object) =>
  request(0, "initialize", { protocolVersion: "2024-11-05", capabilities, clientInfo: {} });

test("a message reaches its stream from any instance, and from its principal alone", async () => {
  const shared = {
    context: undefined,
    authorize: (head: RequestHead) => ({
      context: undefined,
      principal: head.header("x-name") ?? "",
    }),
  } as Partial<EndpointOptions>;
  const store = memoryStore();
  const [one, two] = [await open(shared, store), await open(shared, store)];
  const { next, leave } = await one.stream({ "x-name": "ann" });
  const [, address] = await next();
  const posted = async (message: unknown, name: string) =>
    (await two.post(address, message, { "x-name": name })).status;
  expect(await posted(hello({}), "bob")).toBe(404);
  expect(await posted(hello({}), "ann")).toBe(202);
  expect(JSON.parse((await next())[1])).toMatchObject({ id: 0, result: {} });
  leave();
  await expect.poll(() => posted(request(1, "ping"), "ann")).toBe(404);
});

test("the stream first names where to post, and carries all answers and questions", async () => {
  const { stream, post } = await open();
  const { response, next } = await stream();
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const [name, address] = await next();
  expect([name, address]).toEqual(["endpoint", expect.stringMatching(/^\/sse\?sessionId=[\w-]+$/)]);
  const send = async (message: unknown) => {
    const answer = await post(address, message);
    expect([answer.status, await answer.text()]).toEqual([202, "Accepted"]);
  };
  const receive = async () => JSON.parse((await next())[1]) as Record<string, unknown>;
  await send(hello({ elicitation: {} }));
  expect(await receive()).toMatchObject({ id: 0, result: { protocolVersion: "2024-11-05" } });
  await send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await send(request(1, "tools/list"));
  expect(await receive()).toMatchObject({ id: 1, result: { tools: [{ name: "ask" }] } });
  // Elicitation came later: the tool returns an error, and the person is not asked.
  await send(calling(2, "ask"));
  expect(await receive()).toMatchObject({ id: 2, result: { isError: true } });
});

test("a session ends with its stream, and one principal's is unknown to another", async () => {
  const { stream, post, server } = await open({
    authorize: (head) => ({ context: undefined, principal: head.header("x-name") ?? "" }),
  });
  const { leave, next } = await stream({ "x-name": "Ann" });
  const [, address] = await next();
  expect((await post(address, hello({}), { "x-name": "Bob" })).status).toBe(404);
  expect((await post(address, hello({}), { "x-name": "Ann" })).status).toBe(202);
  expect(server.connections.size).toBe(1);
  leave();
  await expect.poll(() => server.connections.size).toBe(0);
  expect((await post(address, hello({}), { "x-name": "Ann" })).status).toBe(404);
});

test.each([
  ["a POST without a session", { method: "POST" }, 404],
  ["a DELETE", { method: "DELETE" }, 405],
  ["a GET of a page", { headers: { accept: "text/html" } }, 406],
])("%s is refused", async (_, init, status) => {
  const { url } = await open();
  expect((await fetch(url, init)).status).toBe(status);
});

test("streams are limited", async () => {
  const { stream } = await open({ limits: { maxSessions: 1 } });
  const first = await stream();
  expect((await stream()).response.status).toBe(503);
  expect((await first.next())[0]).toBe("endpoint");
});

test("closing ends the streams", async () => {
  const { stream, listener } = await open();
  const { next } = await stream();
  await next();
  await listener.close();
  expect(await next().catch(() => ["end", ""])).toEqual(["end", ""]);
});

test("it is offered only on request", async () => {
  const { url } = await open({ ssePath: "/other" });
  expect((await fetch(url, getting({}))).status).toBe(404);
});

test("each message has the rights of its own token, and the stream ends with its own", async () => {
  const expiresAtMs = Date.now() + 2_000;
  const { stream, post, server } = await open({
    authorize: (head) => ({
      ...{ context: head.header("x-token"), principal: "ann", expiresAtMs },
      refuse: ({ name }) =>
        name === "danger" && head.header("x-token") !== "all"
          ? { status: 403, message: "More scopes are needed" }
          : undefined,
    }),
  });
  server.tool("who", {}, async (_, call) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return String(call.context);
  });
  const { next } = await stream({ "x-token": "all" });
  const [, address] = await next();
  const send = async (message: unknown, token: string) =>
    (await post(address, message, { "x-token": token })).status;
  await send(hello({}), "few");
  expect(JSON.parse((await next())[1])).toMatchObject({ id: 0, result: {} });
  await send({ jsonrpc: "2.0", method: "notifications/initialized" }, "few");
  await Promise.all([send(calling(1, "who"), "few"), send(calling(2, "who"), "all")]);
  const answers = [(await next())[1], (await next())[1]].map((text) => JSON.parse(text));
  const texts = new Map(answers.map(({ id, result }) => [id, result.content[0].text]));
  expect([texts.get(1), texts.get(2)]).toEqual(["few", "all"]);
  expect(await send(calling(3, "danger"), "few")).toBe(403);
  expect(await next()).toEqual(["end", ""]);
});
