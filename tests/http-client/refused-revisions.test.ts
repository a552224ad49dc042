import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import {
  json,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

async function listen(answer: ScriptedAnswer) {
  const server = await new ScriptedHttpServer(answer).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const unsupported = (revision: unknown) => ({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32_000, message: `Bad Request: Unsupported protocol version: ${revision}` },
});

/** The revisions that a client has sent, in `initialize` or in the header of other messages. */
const named = ({ seen }: ScriptedHttpServer) =>
  seen.map(({ message, headers }) =>
    message.method === "initialize"
      ? message.params?.["protocolVersion"]
      : headers["mcp-protocol-version"],
  );

test.each(["2025-06-18", "2025-03-26", "2024-11-05"])(
  "a server that refuses initialize of a later revision with 400 is used in %s",
  async (known) => {
    const server = await listen(
      withSessions(({ message: { method, params } }, response) => {
        const revision = String(params?.["protocolVersion"]);
        if (method !== "initialize" || revision <= known) return false;
        return json(response, unsupported(revision), {}, 400);
      }, known),
    );
    const client = await connectOverHttp(server);
    onTestFinished(() => client.close());
    expect(client.revision).toBe(known);
    await client.ping();
    const initialize = server.seen.filter(({ message }) => message.method === "initialize");
    expect(initialize.at(-1)?.message.params?.["protocolVersion"]).toBe(known);
  },
);

test("a server that refuses the header of its negotiated revision receives initialize of an older one", async () => {
  const server = await listen(async (seen, response) => {
    const { method, params } = seen.message;
    if (seen.headers["mcp-protocol-version"] === "2025-11-25") {
      return json(response, unsupported("2025-11-25"), {}, 400);
    }
    const requested = method === "initialize" ? String(params?.["protocolVersion"]) : undefined;
    return withSessions(() => false, requested)(seen, response);
  });
  const client = await connectOverHttp(server);
  onTestFinished(() => client.close());
  await client.ping();
  expect(client.revision).toBe("2025-06-18");
  const [first, ...later] = named(server);
  expect([first, later.at(-1)]).toEqual(["2025-11-25", "2025-06-18"]);
  // Nothing of the refused session is reused.
  const initialize = server.seen.filter(({ message }) => message.method === "initialize");
  for (const { headers } of initialize) expect(headers).not.toHaveProperty("mcp-session-id");
});

test("a server that refuses only the notification of the end of the handshake is used", async () => {
  const server = await listen(
    withSessions(({ message: { method } }, response) =>
      method === "notifications/initialized" ? response.writeHead(400).end() : false,
    ),
  );
  const client = await connectOverHttp(server);
  onTestFinished(() => client.close());
  await client.ping();
  expect(client.revision).toBe("2025-11-25");
});

test("a server that refuses initialize in every revision receives four requests, and one for a stream", async () => {
  const server = await listen((_, response) => response.writeHead(400).end("no key"));
  await expect(connectOverHttp(server)).rejects.toThrow("HTTP 400 no key");
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(4);
  expect(server.methods.filter((method) => method === "GET")).toHaveLength(1);
});

test.each([
  [{ protocolVersion: "2025-11-25" }, 400],
  [{}, 404],
  [{}, 422],
  [{}, 500],
] as const)("with %j and HTTP %i, no other revision is requested", async (options, status) => {
  const server = await listen((_, response) => response.writeHead(status).end());
  await expect(connectOverHttp(server, options)).rejects.toThrow(`HTTP ${status}`);
  expect(server.methods.filter((method) => method === "initialize")).toHaveLength(1);
});

test("in the modern era no older revision is requested", async () => {
  const server = await listen(({ message: { id } }, response) =>
    json(response, { jsonrpc: "2.0", id, error: { code: -32_022, message: "no" } }, {}, 400),
  );
  await expect(connectOverHttp(server)).rejects.toMatchObject({ code: -32_022 });
  expect(server.methods).toEqual(["initialize"]);
});

test("the handshake with a server of the newest revision has two messages", async () => {
  const server = await listen(withSessions(() => false));
  const client = await connectOverHttp(server);
  onTestFinished(() => client.close());
  await client.ping();
  expect(server.methods).toEqual(["initialize", "notifications/initialized", "ping"]);
});
