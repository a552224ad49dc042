import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { McpServer } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import { listenMcp, toNodeHandler } from "@idewire/node-server";
import { describe, expect, onTestFinished, test } from "vitest";

const MAX = 100_000;
const token = "a token of the test";

function createServerWithTool(): McpServer<unknown> {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("greet", {}, () => "hello");
  return server;
}

type Send = (
  body: Buffer,
  encoding?: string,
  headers?: Record<string, string>,
) => Promise<Response>;

const usual = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  authorization: `Bearer ${token}`,
};

const post = (body: Buffer, encoding: string | undefined, headers: Record<string, string>) => ({
  method: "POST",
  headers: {
    ...usual,
    ...(encoding !== undefined && { "content-encoding": encoding }),
    ...headers,
  },
  body,
});

const access = {
  authorize: (head: { header(name: string): string | undefined }) =>
    head.header("authorization") === `Bearer ${token}`
      ? { context: undefined, principal: "me" }
      : ({ status: 401, message: "no" } as const),
};

/** The three ways to serve, each with the encodings that it supports. */
const places: Readonly<Record<string, { readonly known: string; open(): Promise<Send> }>> = {
  "the fetch handler": {
    known: "gzip, deflate",
    async open() {
      const handler = createMcpHandler(createServerWithTool(), {
        ...access,
        limits: { maxBodyBytes: MAX },
      });
      onTestFinished(() => handler.close());
      return (body, encoding, headers = {}) => {
        const init = post(body, encoding, headers);
        return handler.fetch(new Request("http://127.0.0.1/mcp", init));
      };
    },
  },
  "the Node handler": {
    known: "gzip, deflate, br",
    async open() {
      const handler = createMcpHandler(createServerWithTool(), {
        ...access,
        limits: { maxBodyBytes: MAX },
      });
      const answer = toNodeHandler(handler);
      const server = createServer((request, response) => void answer(request, response));
      await once(server.listen(0, "127.0.0.1"), "listening");
      onTestFinished(() => {
        handler.close();
        server.closeAllConnections();
        server.close();
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
      return (body, encoding, headers = {}) => fetch(url, post(body, encoding, headers));
    },
  },
  "the listener": {
    known: "gzip, deflate, br",
    async open() {
      const listener = await listenMcp(createServerWithTool(), {
        token,
        limits: { maxBodyBytes: MAX },
      });
      onTestFinished(() => listener.close());
      return (body, encoding, headers = {}) => fetch(listener.url, post(body, encoding, headers));
    },
  },
};

const initialize = Buffer.from(
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    },
  }),
);

const encoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  "GZIP ": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  identity: (body) => body,
};

describe.each(Object.entries(places))("%s", (_, { known, open }) => {
  test.each(Object.keys(encoders).filter((each) => each !== "br" || known.includes("br")))(
    "reads a body in %s",
    async (encoding) => {
      const send = await open();
      const response = await send(encoders[encoding]?.(initialize) ?? initialize, encoding);
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('"protocolVersion":"2025-11-25"'),
      ]);
    },
  );

  test.each([
    "zstd",
    "compress",
    "gzip, gzip",
    "gzip;q=1",
    ...(known.includes("br") ? [] : ["br"]),
  ])("refuses %s with 415, and names the supported encodings", async (encoding) => {
    const send = await open();
    const response = await send(initialize, encoding);
    expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, known]);
  });

  test("refuses a body that becomes too large with 413, however small it arrives", async () => {
    const send = await open();
    const large = Buffer.alloc(64 * 1024 * 1024, " ");
    const bombs = { gzip: gzipSync(large), deflate: deflateSync(large) };
    const before = process.memoryUsage().rss;
    for (const [encoding, bomb] of Object.entries(bombs)) {
      expect(bomb.length).toBeLessThan(MAX);
      const response = await send(bomb, encoding);
      expect(response.status).toBe(413);
      await response.text();
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  test.each([
    ["plain JSON", initialize],
    ["a body cut off", gzipSync(initialize).subarray(0, 40)],
    ["raw deflate", deflateRawSync(initialize)],
    ["another coding", deflateSync(initialize)],
    ["nothing", Buffer.alloc(0)],
  ])("refuses %s under the name of gzip with 400", async (_, body) => {
    const send = await open();
    const response = await send(body, "gzip");
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(/is not gzip|not JSON/),
    ]);
    expect((await send(initialize)).status).toBe(200);
  });

  test("decompresses nothing of a client that is not admitted", async () => {
    const send = await open();
    const bomb = gzipSync(Buffer.alloc(1024 * 1024));
    const response = await send(bomb, "gzip", { authorization: "Bearer other" });
    expect(response.status).toBe(401);
  });
});

test("a client that leaves in the middle of a compressed body costs nothing afterwards", async () => {
  const listener = await listenMcp(createServerWithTool(), {
    token,
    limits: { maxOpenRequests: 1 },
  });
  onTestFinished(() => listener.close());
  const headers = { ...usual, "content-encoding": "gzip", "content-length": "1000" };
  for (let turn = 0; turn < 3; turn += 1) {
    const request = httpRequest(listener.url, { method: "POST", headers });
    request.on("error", () => {});
    await new Promise((resolve) => request.write(gzipSync(initialize).subarray(0, 30), resolve));
    const closed = new Promise((resolve) => request.on("close", resolve));
    request.destroy();
    await closed;
  }
  const send = () => fetch(listener.url, post(gzipSync(initialize), "gzip", {}));
  await expect.poll(async () => (await send()).status).toBe(200);
});
