import { McpClient, type McpClientOptions } from "@idewire/core/client";
import { manualClock } from "@idewire/core/testing";
import { createHttpTransport, type HttpTransportOptions } from "@idewire/http";
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
const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const isCall = ({ message }: { message: { method?: string } }) => message.method === "tools/call";

async function serve(answer: ScriptedAnswer, revision?: string) {
  return new ScriptedHttpServer(withSessions(answer, revision)).listen();
}

function connect(
  url: string,
  options: HttpTransportOptions = {},
  client: Partial<McpClientOptions> = {},
) {
  return McpClient.connect(() => createHttpTransport(url, { ...options }), {
    ...info,
    era: "legacy",
    ...client,
  });
}

test("each request after initialize names the session and the revision, and DELETE ends it", async () => {
  await using server = await serve((seen, response) =>
    isCall(seen) ? json(response, result(seen.message.id, text("hi"))) : false,
  );
  const client = await connect(server.url);
  expect(await client.callTool("greet")).toEqual(text("hi"));
  await client.close();
  expect(server.methods).toEqual(
    expect.arrayContaining(["initialize", "notifications/initialized", "GET", "tools/call"]),
  );
  expect(server.methods.at(-1)).toBe("DELETE");
  const [first, ...later] = server.seen;
  expect(first?.headers).not.toHaveProperty("mcp-session-id");
  expect(first?.headers).not.toHaveProperty("mcp-protocol-version");
  expect(first?.headers.accept).toBe("application/json, text/event-stream");
  for (const { headers } of later) {
    expect(headers["mcp-session-id"]).toBe("session-1");
    expect(headers["mcp-protocol-version"]).toBe("2025-11-25");
  }
});

test("a stream of events may hold notifications before the answer, and cut characters", async () => {
  await using server = await serve(async (seen, response) => {
    if (!isCall(seen)) return false;
    events(response);
    const progress = { progressToken: seen.message.id, progress: 1 };
    const words = Buffer.from(
      event({ jsonrpc: "2.0", method: "notifications/progress", params: progress }) +
        event(result(seen.message.id, text("ä 🦊"))),
    );
    // Byte by byte, so that pieces end inside fields, line ends and characters.
    for (const byte of words) {
      await new Promise((resolve) => response.write(Buffer.from([byte]), resolve));
    }
    response.end();
  });
  const client = await connect(server.url);
  const onProgress = vi.fn();
  expect(await client.callTool("slow", {}, { onProgress })).toEqual(text("ä 🦊"));
  expect(onProgress).toHaveBeenCalledWith(expect.objectContaining({ progress: 1 }));
  client.close();
});

test("a stream that ends before the answer is resumed after the last event, with the server's delay", async () => {
  let callId = 0;
  await using server = await serve((seen, response) => {
    if (seen.headers["last-event-id"] !== undefined) {
      return void events(response).end(event(result(callId, text("resumed")), "e2"));
    }
    if (!isCall(seen)) return false;
    callId = seen.message.id ?? 0;
    events(response).end("retry: 200\nid: e1\ndata: \n\n");
  });
  const client = await connect(server.url, { listen: false });
  expect(await client.callTool("slow")).toEqual(text("resumed"));
  const [call, resumed] = server.seen.slice(-2);
  expect(resumed).toMatchObject({ method: "GET", headers: { "last-event-id": "e1" } });
  expect((resumed?.atMs ?? 0) - (call?.atMs ?? 0)).toBeGreaterThanOrEqual(195);
  client.close();
});

test("a stream that breaks without ids is lost, and the tool is not called again", async () => {
  await using server = await serve((seen, response) => {
    if (!isCall(seen)) return false;
    events(response).write('data: {"jsonrpc"');
    setImmediate(() => response.destroy());
  });
  const client = await connect(server.url);
  await expect(client.callTool("pay")).rejects.toMatchObject({
    code: "lost",
    message: expect.stringContaining("cannot be resumed"),
  });
  expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(1);
  client.close();
});

test.each([
  ["in the name of a field", (whole: Buffer) => whole.subarray(0, 3)],
  ["in a character", (whole: Buffer) => whole.subarray(0, whole.indexOf("ä") + 1)],
  ["before the event ends", (whole: Buffer) => whole.subarray(0, whole.length - 1)],
])("a stream that is cut %s is resumed if its events have ids, and else lost", async (_, cut) => {
  let callId = 0;
  await using server = await serve(({ message, headers }, response) => {
    if (headers["last-event-id"] === "e1") {
      return void events(response).end(event(result(callId, text("ä")), "e2"));
    }
    if (message.method !== "tools/call") return false;
    callId = message.id ?? 0;
    const first = message.params?.["name"] === "numbered" ? "retry: 1\nid: e1\ndata:\n\n" : "";
    const part = cut(Buffer.from(event(result(callId, text("ä")))));
    events(response).end(Buffer.concat([Buffer.from(first), part]));
  });
  const client = await connect(server.url, { listen: false });
  expect(await client.callTool("numbered")).toEqual(text("ä"));
  await expect(client.callTool("bare")).rejects.toMatchObject({ code: "lost" });
  client.close();
});

test("a connection cut before the answer is lost, one that is refused is unreachable", async () => {
  const server = await serve((seen, response) => (isCall(seen) ? response.destroy() : false));
  const client = await connect(server.url);
  await expect(client.callTool("pay")).rejects.toMatchObject({ code: "lost" });
  await server[Symbol.asyncDispose]();
  // The first attempt may break a socket that is still open.
  await expect.poll(() => client.callTool("pay").catch(({ code }) => code)).toBe("unreachable");
  client.close();
});

test("a session that the server has ended is opened again, and each refused request resent once", async () => {
  let hasEnded = false;
  await using server = await serve((seen, response) => {
    if (hasEnded && seen.headers["mcp-session-id"] === "session-1") {
      return void response.writeHead(404).end("no such session");
    }
    return isCall(seen) ? json(response, result(seen.message.id, text("done"))) : false;
  });
  const client = await connect(server.url);
  await client.ping();
  hasEnded = true;
  const answers = await Promise.all([client.callTool("a"), client.callTool("b")]);
  expect(answers).toEqual([text("done"), text("done")]);
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
  const calls = server.seen.filter(isCall);
  expect(calls.map(({ headers }) => headers["mcp-session-id"]).sort()).toEqual([
    ...["session-1", "session-1", "session-2", "session-2"],
  ]);
  client.close();
});

test("a server that ends every session receives a call twice, and no more", async () => {
  await using server = await serve((seen, response) =>
    isCall(seen) ? response.writeHead(404).end() : false,
  );
  const client = await connect(server.url);
  await expect(client.callTool("a")).rejects.toMatchObject({ code: "unreachable" });
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
  client.close();
});

test("a resource stays subscribed across sessions", async () => {
  let hasEnded = false;
  await using server = await serve((seen, response) => {
    const isOld = seen.headers["mcp-session-id"] === "session-1";
    if (hasEnded && isOld) return void response.writeHead(404).end();
    if (seen.message.method !== "resources/read") return false;
    return json(response, result(seen.message.id, { contents: [] }));
  });
  const client = await connect(server.url);
  const listener = vi.fn();
  await client.subscribeResource("file:///a", listener);
  hasEnded = true;
  expect(await client.readResource("file:///a")).toEqual([]);
  await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1), 60_000);
  const subscribed = server.seen.filter(({ message }) => message.method === "resources/subscribe");
  expect(subscribed.map(({ headers }) => headers["mcp-session-id"])).toEqual([
    ...["session-1", "session-2"],
  ]);
  client.close();
});

test("unsolicited messages arrive by the stream of a GET, which is reopened", async () => {
  let streams = 0;
  await using server = await serve((seen, response) => {
    if (seen.method !== "GET") return false;
    streams += 1;
    const message = { jsonrpc: "2.0", method: "notifications/message", params: { streams } };
    events(response).write(`retry: 10\n${event(message, `g${streams}`)}`);
    if (streams < 3) response.end();
  });
  const received: unknown[] = [];
  const client = await connect(
    server.url,
    {},
    { onnotification: (_, params) => received.push(params) },
  );
  await expect.poll(() => received).toEqual([{ streams: 1 }, { streams: 2 }, { streams: 3 }]);
  const gets = server.seen.filter(({ method }) => method === "GET");
  expect(gets.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "g1", "g2"]);
  client.close();
});

test.each([
  [400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}', { code: -32_600 }],
  [200, '{"jsonrpc":"2.0","id":"else","result":{}}', { code: "protocol" }],
  [202, "", { code: "protocol", message: expect.stringContaining("without the answer") }],
  [401, "secret", { code: "unauthorized" }],
  [403, "", { code: "unauthorized" }],
  [429, "later", { code: "unreachable", message: expect.stringContaining("429") }],
  [
    418,
    "\u001b[31mbroken",
    { code: "protocol", message: expect.stringMatching(/418 \[31mbroken$/) },
  ],
  [500, "", { code: "lost" }],
  [502, "", { code: "lost" }],
  [503, "", { code: "unreachable" }],
])("a call answered with HTTP %s %s fails alone", async (status, body, error) => {
  await using server = await serve((seen, response) => {
    if (!isCall(seen)) return false;
    const name = seen.message.params?.["name"];
    if (name === "good") json(response, result(seen.message.id, text("good")));
    else response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  const client = await connect(server.url);
  const [bad, good] = await Promise.allSettled([client.callTool("bad"), client.callTool("good")]);
  expect(bad).toMatchObject({ status: "rejected", reason: error });
  expect(good).toEqual({ status: "fulfilled", value: text("good") });
  client.close();
});

test("an answer, or an event, over the limit is refused with the limit", async () => {
  const large = text("x".repeat(5_000));
  await using server = await serve((seen, response) => {
    if (!isCall(seen)) return false;
    const name = seen.message.params?.["name"];
    if (name === "json") json(response, result(seen.message.id, large));
    else events(response).end(event(result(seen.message.id, large)));
  });
  const client = await connect(server.url, { maxFrameBytes: 1_000 });
  for (const name of ["json", "events"]) {
    await expect(client.callTool(name)).rejects.toMatchObject({
      code: "protocol",
      message: expect.stringContaining("more than 1000"),
    });
  }
  client.close();
});

test("a cancelled call is cancelled at the server, and its stream closed", async () => {
  const closed = vi.fn();
  await using server = await serve((seen, response) => {
    if (!isCall(seen)) return false;
    events(response).on("close", closed).write(": alive\n\n");
  });
  const client = await connect(server.url);
  const controller = new AbortController();
  const call = client.callTool("slow", {}, { signal: controller.signal });
  await expect.poll(() => server.methods).toContain("tools/call");
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  await expect.poll(() => server.methods).toContain("notifications/cancelled");
  await expect.poll(() => closed.mock.calls.length).toBe(1);
  client.close();
});

test("a redirect is followed within the origin alone, and carries no header elsewhere", async () => {
  await using elsewhere = await serve(() => false);
  await using server = await serve((seen, response) => {
    if (seen.path === "/mcp") response.writeHead(308, { location: "/mcp/" }).end();
    else if (seen.path === "/out") response.writeHead(307, { location: elsewhere.url }).end();
    else return false;
  });
  const headers = { authorization: "Bearer x" };
  const client = await connect(server.url, { headers });
  expect(server.seen.map(({ path }) => path).slice(0, 2)).toEqual(["/mcp", "/mcp/"]);
  client.close();
  await expect(connect(`${server.origin}/out`, { headers })).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringContaining(`redirects to ${elsewhere.url}`),
  });
  expect(elsewhere.seen).toEqual([]);
});

test.each([400, 404, 405])(
  "a server that refuses the POST with %s is used over HTTP with SSE",
  async (status) => {
    await using server = await new ScriptedHttpServer((seen, response) => {
      const { message } = seen;
      const { id, method } = message;
      if (seen.method === "GET") {
        stream = events(response);
        stream.write("event: endpoint\ndata: messages?s=1\n\n");
      } else if (seen.path === "/mcp") response.writeHead(status).end();
      else {
        response.writeHead(202).end();
        if (method === "initialize") stream?.write(event(result(id, hello)));
        if (isCall({ message }) && message.params?.["name"] === "a")
          stream?.write(event(result(id, text("by SSE"))));
      }
    }).listen();
    let stream: ReturnType<typeof events> | undefined;
    const hello = {
      protocolVersion: "2024-11-05",
      capabilities: { tools: {} },
      serverInfo: { name: "old", version: "1" },
    };
    const client = await connect(server.url);
    expect(await client.callTool("a")).toEqual(text("by SSE"));
    expect(server.seen.at(-1)?.path).toBe("/messages?s=1");
    const pending = client.callTool("b").catch((error) => error);
    await expect.poll(() => server.seen.filter(isCall)).toHaveLength(2);
    client.close();
    expect(await pending).toMatchObject({ code: "closed" });
  },
);

test("a server without HTTP with SSE fails the connection by its refusal", async () => {
  await using server = await new ScriptedHttpServer((_, response) =>
    response.writeHead(405).end(),
  ).listen();
  const transport = createHttpTransport(server.url);
  await expect(McpClient.connect(transport, { ...info, era: "legacy" })).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringContaining("HTTP 405"),
  });
  expect(server.methods).toEqual(["initialize", "GET"]);
});

test("an endpoint of another origin gets no message", async () => {
  await using elsewhere = await serve(() => false);
  await using server = await new ScriptedHttpServer((seen, response) => {
    if (seen.method === "GET")
      events(response).write(`event: endpoint\ndata: ${elsewhere.url}\n\n`);
    else response.writeHead(405).end();
  }).listen();
  await expect(connect(server.url)).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringContaining("not an address of its origin"),
  });
  expect(elsewhere.seen).toEqual([]);
});

test.each(["ftp://x.test/", "javascript:alert(1)", "nonsense"])(
  "%s is not the address of a server",
  (url) => {
    expect(() => createHttpTransport(url)).toThrow(
      `Expected an http or https address without a password, got ${url}`,
    );
  },
);

test("every delay uses the given clock", async () => {
  await using server = await serve((seen, response) =>
    isCall(seen) ? void events(response).end("id: e1\ndata: \n\n") : false,
  );
  const clock = manualClock();
  const client = await connect(server.url, { clock, listen: false });
  const call = client.callTool("a").catch((error) => error);
  await expect.poll(() => server.methods).toContain("tools/call");
  client.close();
  expect(await call).toMatchObject({ code: "closed" });
  await client.closed;
  expect(server.methods.at(-1)).toBe("DELETE");
});
