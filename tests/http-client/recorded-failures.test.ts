import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { McpClient } from "@idewire/core/client";
import type { Transport } from "@idewire/core/rpc";
import { FrameIndex, isOpenRequest } from "@idewire/devtools/internal";
import { EventLog, recordTransport } from "@idewire/devtools/trace";
import { createHttpTransport } from "@idewire/http";
import { createMemoryStore, createOAuth } from "@idewire/http/oauth";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture } from "../src/authorization-fixture.ts";
import {
  events,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

/** A client whose traffic is recorded as by the inspector, and the rows of its requests. */
function record(open: () => Transport) {
  const log = new EventLog();
  const index = new FrameIndex();
  log.on("append", (event) => index.add(event));
  const connect = async (era: "legacy" | "modern") => {
    const transport = recordTransport(open(), { log, ch: "c1", sends: "agent>ide" });
    const client = await McpClient.connect(transport, { name: "me", version: "1", era });
    onTestFinished(() => client.close());
    return client;
  };
  const row = (method: string) => {
    const facts = index.frames.findLast(
      (each) => each.kind === "request" && each.method === method,
    );
    return facts && { isOpen: isOpenRequest(facts), ...facts.unanswered };
  };
  return { connect, row };
}

/** A server with sessions; the test answers its calls. */
async function serve(oncall: ScriptedAnswer): Promise<ScriptedHttpServer> {
  const server = await new ScriptedHttpServer(
    withSessions((seen, response) =>
      seen.message.method === "tools/call" ? oncall(seen, response) : false,
    ),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

test.each<[string, ScriptedAnswer, string]>([
  ["is refused", (_, response) => response.writeHead(503).end("busy"), "HTTP 503 busy"],
  [
    "is refused by an error of JSON-RPC",
    ({ message: { id } }, response) => {
      const error = { code: -32602, message: "Unknown tool" };
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
    },
    "Unknown tool",
  ],
  ["is reset", (_, response) => response.destroy(), "the connection broke off"],
  [
    "is aborted in its stream",
    (_, response) => {
      events(response).write(": begun\n\n");
      setTimeout(() => response.destroy(), 20);
    },
    "the stream broke",
  ],
  ["has a stream that ends", (_, response) => events(response).end(), "stream"],
])("a call that %s has failed in the record, with the reason", async (_, oncall, reason) => {
  const server = await serve(oncall);
  const { connect, row } = record(() => createHttpTransport(server.url, { listen: false }));
  const client = await connect("legacy");
  await expect(client.callTool("one")).rejects.toThrow();
  expect(row("initialize")).toEqual({ isOpen: false });
  expect(row("tools/call")).toMatchObject({ isOpen: false, why: "failed" });
  expect(row("tools/call")?.reason).toContain(reason);
});

test.each(["legacy", "modern"] as const)(
  "at an address without a server the first request has failed (%s)",
  async (era) => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as { readonly port: number };
    closed.close();
    const { connect, row } = record(() => createHttpTransport(`http://127.0.0.1:${port}/mcp`));
    await expect(connect(era)).rejects.toThrow();
    const first = row(era === "legacy" ? "initialize" : "server/discover");
    expect(first).toMatchObject({ isOpen: false, why: "failed" });
    expect(first?.reason).toContain("ECONNREFUSED");
  },
);

test("the first request to a server without TLS is recorded as failed", async () => {
  const plain = createServer((socket: Socket) => socket.on("error", () => {}).resume());
  plain.on("connection", (socket) => socket.once("data", () => socket.end("HTTP/1.1 400\r\n\r\n")));
  plain.listen(0, "127.0.0.1");
  onTestFinished(() => void plain.close());
  await once(plain, "listening");
  const { port } = plain.address() as { readonly port: number };
  const { connect, row } = record(() => createHttpTransport(`https://127.0.0.1:${port}/mcp`));
  await expect(connect("legacy")).rejects.toThrow();
  expect(row("initialize")?.reason).toContain("does not speak TLS");
});

test("a request whose login the person refuses is recorded as failed, with the message of the authorization server", async () => {
  const fixture = await new AuthorizationFixture().listen();
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  const { url } = fixture.server;
  const authorization = createOAuth({
    url,
    store: createMemoryStore(),
    openRedirectTarget: async () => ({
      uri: "http://127.0.0.1:1/callback",
      visit: async () => Promise.reject(new Error("the person closed the login")),
      close: async () => {},
    }),
  });
  const { connect, row } = record(() => createHttpTransport(url, { authorization }));
  await expect(connect("legacy")).rejects.toThrow();
  expect(row("initialize")).toMatchObject({ isOpen: false, why: "failed" });
  expect(row("initialize")?.reason).toContain("the person closed the login");
});
