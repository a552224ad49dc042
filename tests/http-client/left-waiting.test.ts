import type { ServerResponse } from "node:http";
import { clearInterval, setInterval } from "node:timers";
import { McpClient } from "@idewire/core/client";
import { manualClock } from "@idewire/core/testing";
import { type Authorization, createHttpTransport } from "@idewire/http";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import {
  event,
  events,
  result,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

const info = { name: "me", version: "1" };

test("a listening stream whose server asks for no delay is reopened five times a second at most", async () => {
  let streams = 0;
  await using server = await new ScriptedHttpServer(
    withSessions((seen, response) => {
      if (seen.method !== "GET") return false;
      streams += 1;
      events(response).end("retry: 0\nid: e1\ndata: \n\n");
    }),
  ).listen();
  const clock = manualClock();
  const transport = createHttpTransport(server.url, { clock });
  const client = await McpClient.connect(transport, { ...info, era: "legacy" });
  await expect.poll(() => streams).toBe(1);
  // After an answer, the client has read the end of the stream.
  await client.ping();
  await client.ping();
  clock.advance(199);
  await client.ping();
  expect(streams).toBe(1);
  clock.advance(1);
  await expect.poll(() => streams).toBe(2);
  client.close();
});

test.each([429, 502, 503])(
  "a resumption that is always answered with HTTP %i is tried a few times",
  async (status) => {
    let asked = 0;
    await using server = await new ScriptedHttpServer(
      withSessions(({ method, message: { method: called } }, response) => {
        if (method === "GET") {
          asked += 1;
          response.writeHead(status).end();
        } else if (called === "tools/call") events(response).end("retry: 1\nid: e1\ndata: \n\n");
        else return false;
      }),
    ).listen();
    const clock = manualClock();
    const client = await connectOverHttp(server, {}, { clock });
    const failed = client.callTool("a").catch((error) => error);
    const ended = { isTrue: false };
    void failed.then(() => {
      ended.isTrue = true;
    });
    const passTime = () => {
      clock.advance(1_000);
      return ended.isTrue;
    };
    await expect.poll(passTime).toBe(true);
    expect(await failed).toMatchObject({
      code: "lost",
      message: expect.stringContaining(`HTTP ${status}`),
    });
    expect(asked).toBeGreaterThan(2);
    expect(asked).toBeLessThan(10);
    client.close();
  },
);

test("the endless body of a refused stream blocks nothing", async () => {
  await using server = await new ScriptedHttpServer(
    withSessions(({ method, message: { id, method: called } }, response) => {
      if (method === "GET") response.writeHead(400).write("for ever");
      else if (called === "tools/call") events(response).end("retry: 1\nid: e1\ndata: \n\n");
      else if (called === "ping") events(response).end(event(result(id)));
      else return false;
    }),
  ).listen();
  const client = await connectOverHttp(server);
  await expect(client.callTool("a", {}, { timeoutMs: 20_000 })).rejects.toMatchObject({
    code: "lost",
    message: expect.stringContaining("resuming: HTTP 400"),
  });
  await client.ping();
  client.close();
});

test("the endless body of a refusal, bit by bit, delays its call by two seconds at most", async () => {
  await using server = await new ScriptedHttpServer(
    withSessions(({ message }, response) => {
      if (message.method !== "tools/call") return false;
      response.writeHead(400);
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    }),
  ).listen();
  const clock = manualClock();
  const client = await connectOverHttp(server, {}, { clock });
  await client.ping();
  const call = client.callTool("a", {}, { timeoutMs: Infinity }).catch((error) => error);
  let ended = false;
  void call.then(() => {
    ended = true;
  });
  const passTime = () => {
    if (server.methods.includes("tools/call")) clock.advance(100);
    return ended;
  };
  await expect.poll(passTime).toBe(true);
  expect(await call).toMatchObject({ code: "protocol" });
  client.close();
});

test("closing a client whose session the server has ended waits for no pending refusal", async () => {
  let asked = 0;
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { method } }, response) => {
      if (method !== "tools/call") return false;
      asked += 1;
      // Other calls never get a response.
      return asked < 3 || response.writeHead(404).end();
    }),
  ).listen();
  const transport = createHttpTransport(server.url, { clock: manualClock(), listen: false });
  const client = await McpClient.connect(transport, { ...info, era: "legacy" });
  const calls = Promise.allSettled(["a", "b", "c"].map((name) => client.callTool(name)));
  await expect.poll(() => transport.reaches?.()).toBe(false);
  await client.close();
  expect(await calls).toHaveLength(3);
});

test("a request waits for a login without limit, and then its full time for the answer", async () => {
  let isAnswered = true;
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { method } }) =>
      isAnswered || method !== "tools/call" ? false : undefined,
    ),
  ).listen();
  const clock = manualClock();
  let logIn = () => {};
  const authorization: Authorization = {
    async send(_, send) {
      await new Promise<void>((resolve) => {
        logIn = resolve;
      });
      return send(new Headers());
    },
  };
  const transport = createHttpTransport(server.url, { clock, listen: false, authorization });
  const connecting = McpClient.connect(transport, { ...info, peer: { clock }, era: "legacy" });
  await expect.poll(() => `${logIn}`).toContain("native code");
  clock.advance(200_000);
  const loggingIn = setInterval(() => logIn(), 1);
  onTestFinished(() => clearInterval(loggingIn));
  const client = await connecting;
  isAnswered = false;
  const call = client.callTool("a");
  await expect.poll(() => server.methods).toContain("tools/call");
  clock.advance(61_000);
  await expect(call).rejects.toMatchObject({ code: "timeout" });
  client.close();
});

test("a request with credentials has its time-out once, even if its answer has begun", async () => {
  const streams: ServerResponse[] = [];
  await using server = await new ScriptedHttpServer(
    withSessions(({ message: { method } }, response) =>
      method === "tools/call" ? streams.push(response) : false,
    ),
  ).listen();
  const clock = manualClock();
  const authorization: Authorization = { send: (_, send) => send(new Headers()) };
  const transport = createHttpTransport(server.url, { clock, listen: false, authorization });
  const client = await McpClient.connect(transport, { ...info, peer: { clock }, era: "legacy" });
  const onMessage = vi.fn();
  client.on("notifications/message", onMessage);
  const call = client.callTool("a");
  await expect.poll(() => streams).toHaveLength(1);
  clock.advance(40_000);
  for (const stream of streams)
    events(stream).write(event({ jsonrpc: "2.0", method: "notifications/message" }));
  await expect.poll(() => onMessage.mock.calls).toHaveLength(1);
  clock.advance(21_000);
  await expect(call).rejects.toMatchObject({ code: "timeout" });
  client.close();
});
