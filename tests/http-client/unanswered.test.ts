import { elicitation, McpClient } from "@idewire/core/client";
import { type Clock, IdewireError } from "@idewire/core/rpc";
import { manualClock } from "@idewire/core/testing";
import { createHttpTransport } from "@idewire/http";
import { expect, test, vi } from "vitest";
import {
  event,
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

const info = { name: "me", version: "1" };
const discovery = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  serverInfo: { name: "server", version: "1" },
};
const done = { content: [{ type: "text", text: "done" }] };
const question = (method: string, params = {}) =>
  event({ jsonrpc: "2.0", id: "q1", method, params });
const form = { message: "Who?", requestedSchema: { type: "object", properties: {} } };

/** A server that asks on the stream of each call; the test handles our answer. */
function asking(question: string, onanswer: ScriptedAnswer): ScriptedAnswer {
  return withSessions((seen, response) => {
    const { id, method } = seen.message;
    if (method === undefined && seen.method === "POST") return onanswer(seen, response);
    if (method !== "tools/call") return false;
    events(response).write(question);
    if (seen.message.params?.["name"] === "patient") response.end(event(result(id, done)));
  });
}

async function connect(url: string, clock?: Clock) {
  const features = [elicitation({ form: async () => ({ action: "decline" }) })];
  const transport = createHttpTransport(url, { listen: false, ...(clock && { clock }) });
  return McpClient.connect(transport, { ...info, features, era: "legacy" });
}

test.each([
  [400, "unknown request"],
  [400, '{"jsonrpc":"2.0","error":{"code":-32600,"message":"unknown request"}}'],
  [401, ""],
  [413, "too large"],
])(
  "a call whose question cannot be answered, for HTTP %i %s, is lost at once",
  async (status, body) => {
    await using server = await new ScriptedHttpServer(
      asking(question("elicitation/create", form), (_, response) =>
        response.writeHead(status).end(body),
      ),
    ).listen();
    const client = await connect(server.url);
    await expect(client.callTool("asks")).rejects.toMatchObject({
      code: "lost",
      message: expect.stringContaining(`: an answer at ${server.url}: HTTP ${status}`),
    });
    // Other calls are unaffected.
    await client.ping();
    client.close();
  },
);

test("of two calls with questions under one id, the one whose answer is refused is lost", async () => {
  let answers = 0;
  const ask = question("elicitation/create", form);
  await using server = await new ScriptedHttpServer(
    asking(ask, (_, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 202 : 400).end();
    }),
  ).listen();
  const client = await connect(server.url);
  const controller = new AbortController();
  const first = client.callTool("asks", {}, { signal: controller.signal });
  await expect.poll(() => answers).toBe(1);
  // After an answer, the client has read that response.
  await client.ping();
  await expect(client.callTool("asks")).rejects.toMatchObject({ code: "lost" });
  controller.abort();
  await expect(first).rejects.toMatchObject({ code: "cancelled" });
  client.close();
});

test("a modern call is not lost when our answer to a question beside it is refused", async () => {
  const refused = vi.fn();
  let finish = () => {};
  await using server = await new ScriptedHttpServer(({ message: { id, method } }, response) => {
    if (method === "server/discover") json(response, result(id, discovery));
    else if (method === undefined) {
      refused();
      response.writeHead(400).end();
    } else {
      const stream = events(response);
      stream.write(question("roots/list"));
      finish = () => stream.end(event(result(id, { resultType: "complete", ...done })));
    }
  }).listen();
  const era = "auto";
  const client = await McpClient.connect(createHttpTransport(server.url), { ...info, era });
  const call = client.callTool("patient");
  await expect.poll(() => refused).toHaveBeenCalled();
  await client.ping();
  finish();
  expect(await call).toMatchObject(done);
  client.close();
});

test("an answer that the server is too busy for is not resent once the client has closed", async () => {
  let answers = 0;
  await using server = await new ScriptedHttpServer(
    asking(question("elicitation/create", form), (_, response) => {
      answers += 1;
      response.writeHead(503).end();
    }),
  ).listen();
  const clock = manualClock();
  const client = await connect(server.url, clock);
  const call = client.callTool("asks");
  await expect.poll(() => answers).toBe(1);
  client.close();
  await expect(call).rejects.toMatchObject({ code: "closed" });
  const passTime = () => {
    clock.advance(100);
    return server.methods.at(-1);
  };
  await expect.poll(passTime).toBe("DELETE");
  await client.closed;
  expect(answers).toBe(1);
});

test("a call that only pings is not lost when our answer is refused", async () => {
  await using server = await new ScriptedHttpServer(
    asking(question("ping"), (_, response) => response.writeHead(400).end()),
  ).listen();
  const client = await connect(server.url);
  expect(await client.callTool("patient")).toEqual(done);
  await expect.poll(() => server.methods.at(-1)).toBe("POST");
  client.close();
});

test.each(["ping", "elicitation/create"])(
  "%s is answered while initialize is open, in the session that its response names",
  async (method) => {
    let answerInitialize = () => {};
    const withoutQuestions = withSessions(() => false);
    await using server = await new ScriptedHttpServer((seen, response) => {
      const { id, method: called } = seen.message;
      if (called === "initialize") {
        response.setHeader("mcp-session-id", "session-1");
        events(response).write(question(method, form));
        const { protocolVersion } = seen.message.params ?? {};
        const hello = { protocolVersion, capabilities: {}, serverInfo: info };
        answerInitialize = () => void response.end(event(result(id, hello)));
      } else if (called === undefined && seen.method === "POST") {
        answerInitialize();
        response.writeHead(202).end();
      } else return withoutQuestions(seen, response);
    }).listen();
    const client = await connect(server.url);
    const [, answer] = server.seen;
    expect(answer?.body).toContain('"id":"q1"');
    expect(answer?.headers["mcp-session-id"]).toBe("session-1");
    expect(answer?.headers).not.toHaveProperty("mcp-protocol-version");
    client.close();
  },
);

test.each([400, 401, 404, 503])(
  "a call refused with HTTP %i and a body without end fails by its status",
  async (status) => {
    await using server = await new ScriptedHttpServer(
      withSessions(({ message }, response) => {
        if (message.method !== "tools/call") return false;
        response.writeHead(status).write("for ever");
      }, "2025-03-26"),
    ).listen();
    const transport = createHttpTransport(server.url, { listen: false });
    const client = await McpClient.connect(transport, { ...info, era: "legacy" });
    const ended = status === 404 ? "the server has ended the session" : `HTTP ${status}`;
    await expect(client.callTool("a", {}, { timeoutMs: 20_000 })).rejects.toThrow(ended);
    client.close();
  },
);

test("a stream is resumed although the server fails for a while", async () => {
  const outages = [503, 429, 502, 504];
  let callId: number | undefined;
  await using server = await new ScriptedHttpServer(
    withSessions(({ method, message: { id, method: called } }, response) => {
      if (method === "GET") {
        const status = outages.shift();
        if (status === undefined) events(response).end(event(result(callId, done)));
        else response.writeHead(status, { "retry-after": "0" }).end();
      } else if (called === "tools/call") {
        callId = id;
        events(response).end("retry: 1\nid: e1\ndata: \n\n");
      } else return false;
    }),
  ).listen();
  const client = await connect(server.url);
  expect(await client.callTool("a")).toEqual(done);
  client.close();
});

test.each(["unreachable", "unauthorized"] as const)(
  "a call whose stream cannot be resumed without tokens is lost, though they are %s",
  async (code) => {
    await using server = await new ScriptedHttpServer(
      withSessions(({ message }, response) => {
        if (message.method !== "tools/call") return false;
        events(response).end("retry: 1\nid: e1\ndata: \n\n");
      }),
    ).listen();
    const transport = createHttpTransport(server.url, {
      listen: false,
      authorization: {
        async send({ method }, send) {
          if (method === "GET") throw new IdewireError(code, "no tokens");
          return send(new Headers());
        },
      },
    });
    const client = await McpClient.connect(transport, { ...info, era: "legacy" });
    await expect(client.callTool("a")).rejects.toMatchObject({
      code: "lost",
      message: expect.stringContaining("cannot be resumed: no tokens"),
    });
    client.close();
  },
);

test("a server that refuses the POST with an endless body is used over HTTP with SSE", async () => {
  const hello = { protocolVersion: "2024-11-05", capabilities: {}, serverInfo: info };
  let stream: ReturnType<typeof events> | undefined;
  await using server = await new ScriptedHttpServer(({ method, path, message }, response) => {
    if (method === "GET") {
      stream = events(response);
      stream.write("event: endpoint\ndata: messages\n\n");
    } else if (path === "/mcp") response.writeHead(405).write("for ever");
    else {
      response.writeHead(202).end();
      if (message.method === "initialize") stream?.write(event(result(message.id, hello)));
    }
  }).listen();
  const transport = createHttpTransport(server.url);
  const client = await McpClient.connect(transport, { ...info, era: "legacy" });
  expect(client.server).toMatchObject(hello);
  client.close();
});
