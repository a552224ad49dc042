import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { createWebSocketTransport } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { listenMcp, toNodeHandler } from "@idewire/node-server";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { posting, request } from "../src/http-client.ts";
import { hostOf, useListeners } from "../src/listening-fixture.ts";
import { RawClient } from "../src/raw-client.ts";

let written: unknown[];

beforeEach(() => {
  written = [];
  const spy = vi.spyOn(console, "error").mockImplementation((error) => void written.push(error));
  onTestFinished(() => spy.mockRestore());
});

/** Three bugs with which a tool may fail. */
const bugs = {
  throws() {
    throw new TypeError("broken at once");
  },
  async rejects() {
    await Promise.resolve();
    throw new RangeError("broken later");
  },
  throwsText() {
    throw "broken without an Error";
  },
} as const;

function makeServer(): McpServer {
  const server = new McpServer({ name: "s", version: "1" });
  for (const [name, run] of Object.entries(bugs)) server.tool(name, {}, run as () => string);
  return server;
}

const initialize = request(1, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "c", version: "1" },
});
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const call = (id: number, name: string) => request(id, "tools/call", { name, arguments: {} });

/** Sends messages one after the other over a connection that carries text both ways. */
async function converse(send: (text: string) => void, answers: { readonly length: number }) {
  send(JSON.stringify(initialize));
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  send(JSON.stringify(initialized));
  for (const [index, name] of Object.keys(bugs).entries()) {
    send(JSON.stringify(call(index + 2, name)));
    await vi.waitFor(() => expect(answers).toHaveLength(index + 2));
  }
}

/** Sends the messages as POSTs. */
async function post(send: (init: RequestInit) => Promise<Response>): Promise<void> {
  const opened = await send(posting(initialize));
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  await send(posting(initialized, session));
  for (const [index, name] of Object.keys(bugs).entries()) {
    await (await send(posting(call(index + 2, name), session))).text();
  }
}

const entries: Readonly<Record<string, () => Promise<void>>> = {
  async stdio() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answers: string[] = [];
    output.on("data", (chunk) => answers.push(...String(chunk).trimEnd().split("\n")));
    const transport = createStdioTransport(input, output);
    onTestFinished(() => transport.close());
    makeServer().connect(transport, { context: undefined });
    await converse((text) => void input.write(`${text}\n`), answers);
  },
  async WebSocket() {
    const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => sockets.close());
    await once(sockets, "listening");
    sockets.on("connection", (socket: WebSocket) => {
      makeServer().connect(createWebSocketTransport(socket), { context: undefined });
    });
    const client = new WebSocket(`ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`);
    onTestFinished(() => client.terminate());
    const answers: string[] = [];
    client.on("message", (data) => answers.push(String(data)));
    await once(client, "open");
    await converse((text) => client.send(text), answers);
  },
  async listener() {
    const listener = await listenMcp(makeServer(), { access: "anyone" });
    onTestFinished(() => listener.close());
    await post((init) => fetch(listener.url, init));
  },
  async "Node handler"() {
    const handler = createMcpHandler(makeServer(), { access: "anyone" });
    const server = createServer(toNodeHandler(handler)).listen(0, "127.0.0.1");
    onTestFinished(() => {
      handler.close();
      server.closeAllConnections();
      server.close();
    });
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await post((init) => fetch(url, init));
  },
  async "fetch handler"() {
    const handler = createMcpHandler(makeServer(), { access: "anyone" });
    onTestFinished(() => handler.close());
    await post((init) => handler.fetch(new Request("http://127.0.0.1/mcp", init)));
  },
};

test.each(Object.entries(entries))(
  "over %s an exception in a tool is on stderr by default, with its stack",
  async (_, run) => {
    await run();
    expect(written.map(String)).toEqual([
      "TypeError: broken at once",
      "RangeError: broken later",
      "Error: broken without an Error",
    ]);
    expect(written.every((error) => error instanceof Error && error.stack)).toBe(true);
  },
);

describe("the server of an editor", () => {
  const fixture = useListeners();

  const brokenHost = () => ({
    ...hostOf(fixture.folder),
    diagnostics: () => Promise.reject(new TypeError("broken editor")),
  });

  async function callDiagnostics(lockFile: string | undefined) {
    const client = await RawClient.ready(lockFile ?? "");
    const tool = { name: "getDiagnostics", arguments: {} };
    return client.request("tools/call", tool);
  }

  test("writes an exception of the editor to stderr by default, and does not send it to the agent", async () => {
    const listener = await fixture.listen({ host: brokenHost() });
    const answer = await callDiagnostics(listener.endpoints[0]?.lockFile);
    expect(JSON.stringify(answer)).toContain("Internal error");
    expect(JSON.stringify(answer)).not.toContain("broken editor");
    expect(written.map(String)).toEqual(["TypeError: broken editor"]);
  });

  test("passes it to onerror alone, if that is set", async () => {
    const received: string[] = [];
    const onerror = ({ message }: Error) => void received.push(message);
    const listener = await fixture.listen({ host: brokenHost(), onerror });
    await callDiagnostics(listener.endpoints[0]?.lockFile);
    expect([received, written]).toEqual([["broken editor"], []]);
  });
});
