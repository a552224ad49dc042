import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { McpServer } from "@idewire/core/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { listenMcp } from "./listen-mcp.ts";

const token = "secret-of-the-test";

async function start() {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  const listener = await listenMcp(server, { token });
  onTestFinished(() => listener.close());
  return listener;
}

/** The head of a request, and its body. */
function print(first: string, headers: readonly string[] = [], body = ""): string {
  return [`${first} HTTP/1.1`, "Host: 127.0.0.1", ...headers, "", body].join("\r\n");
}

const bearer = `Authorization: Bearer ${token}`;
const json = "Content-Type: application/json";
const post = (body: string) =>
  print("POST /mcp", [bearer, json, `Content-Length: ${body.length}`], body);

/** A client that sends arbitrary bytes, and keeps its own end open. */
async function open(port: number, words: string | Uint8Array = "") {
  const socket: Socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
  });
  let isOver = false;
  // A client that is disconnected while it is still sending receives a reset.
  for (const event of ["end", "close", "error"]) {
    socket.on(event, () => {
      isOver = true;
    });
  }
  await once(socket, "connect");
  socket.write(words);
  return {
    socket,
    status: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    ended: () => expect.poll(() => isOver).toBe(true),
    isOver: () => isOver,
  };
}

const webSocket = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

test.each([
  ["a WebSocket without the token", print("GET /mcp", webSocket), 401],
  ["a WebSocket with the token", print("GET /mcp", [bearer, ...webSocket]), 406],
  ["no token", print("POST /mcp", [json, "Content-Length: 1000000"], "{"), 401],
  ["no token, and 500 requests at once", print("GET /mcp").repeat(500), 401],
  ["another host", "GET /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403],
  ["two hosts", print("GET /mcp", ["Host: evil.example", bearer]), 400],
  ["a sandboxed page", print("GET /mcp", ["Origin: null", bearer]), 403],
  ["another path", print("GET /mcp/../x", [bearer]), 404],
  ["HTTP/0.9", "GET /mcp\r\n\r\n", 403],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["TLS", Buffer.from(`16030100a5010000a10303${"00".repeat(150)}`, "hex"), 400],
  ["zeros", Buffer.alloc(1000), 400],
  ["a header of 100 kB", print("GET /mcp", [`X: ${"x".repeat(100_000)}`]), 431],
  [
    "invalid chunks",
    print("POST /mcp", [bearer, json, "Transfer-Encoding: chunked"], "zz\r\n"),
    400,
  ],
  [
    "a body that is 100 MB long",
    print("POST /mcp", [bearer, json, "Content-Length: 100000000"]),
    413,
  ],
  [
    "what asks first whether 100 MB may come",
    print("POST /mcp", [bearer, json, "Content-Length: 100000000", "Expect: 100-continue"]),
    413,
  ],
  ["5 MB, all of which is sent", post("x".repeat(5_000_000)), 413],
  [
    "5 MB in chunks",
    print("POST /mcp", [bearer, json, "Transfer-Encoding: chunked"], "100000\r\n") +
      `${"x".repeat(1 << 20)}\r\n100000\r\n`.repeat(6),
    413,
  ],
  [
    "5 MB without the token",
    print("POST /mcp", [json, "Content-Length: 5000000"], "x".repeat(5_000_000)),
    401,
  ],
  [
    "what asks first, without the token",
    print("POST /mcp", [json, "Content-Length: 10", "Expect: 100-continue"]),
    401,
  ],
  ["two million brackets", post("[".repeat(2_000_000)), 400],
  ["a million objects in one another", post('{"a":'.repeat(700_000)), 400],
  ["half a million empty objects", post(`[${"{},".repeat(500_000)}{}]`), 400],
])("%s is refused at once, and the connection ends", async (_, words, status) => {
  const { port } = await start();
  const client = await open(port, words);
  await client.ended();
  // Only the first of several requests is answered; the rest of the data is ignored.
  expect(client.status()[0]).toBe(status);
  expect(new Set(client.status())).toEqual(new Set([status]));
});

test("a request with Expect: 100-continue is admitted with the token", async () => {
  const { port } = await start();
  const head = [bearer, json, "Content-Length: 2", "Expect: 100-continue"];
  const client = await open(port, print("POST /mcp", head));
  await expect.poll(() => client.status()).toEqual([100]);
  client.socket.write("{}");
  await client.ended();
  expect(client.status()).toEqual([100, 400]);
});

test("a client that sends something else affects no other: a tunnel, half a request", async () => {
  const { port } = await start();
  const tunnel = await open(port, print("CONNECT evil.example:443"));
  await tunnel.ended();
  const head = [bearer, json, "Content-Length: 100"];
  const half = await open(port, print("POST /mcp", head, "abc"));
  half.socket.end();
  await half.ended();
  expect([tunnel.status(), half.status()]).toEqual([[], [400]]);
});

test.each([
  ["2 MB of brackets", "[".repeat(2_000_000)],
  ["a list of half a million", `[${"{},".repeat(500_000)}{}]`],
])("%s block no client: they are not parsed, which takes up to a second", async (_, body) => {
  const { port } = await start();
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const client = await open(port, post(body));
  await client.ended();
  expect(client.status()).toEqual([400]);
  expect(parse.mock.calls.filter(([text]) => text.length > 16_384)).toEqual([]);
});

test("text of any length is no more than one value", async () => {
  const { port } = await start();
  const text = '[{"\\"\\\\\n'.repeat(100_000);
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { text } }),
  });
  expect(await answer.json()).toMatchObject({ error: { message: /initialize/ } });
});

test("700 silent clients block no other, and the oldest are closed", async () => {
  const { port } = await start();
  const silent = await Promise.all(Array.from({ length: 700 }, () => open(port)));
  await expect.poll(() => silent.filter(({ isOver }) => isOver()).length).toBeGreaterThan(150);
  expect(silent.at(-1)?.isOver()).toBe(false);
  const client = await open(port, post("{}"));
  await expect.poll(() => client.status()).toEqual([400]);
});

test("closing leaves no client, whatever it is doing", async () => {
  const listener = await start();
  const { port } = listener;
  const clients = [
    await open(port),
    await open(port, "G"),
    await open(port, print("POST /mcp", [bearer, json, "Content-Length: 100"], "abc")),
    await open(
      port,
      print("POST /mcp", [bearer, json, "Transfer-Encoding: chunked"], "fffff\r\nabc"),
    ),
  ];
  await listener.close();
  for (const client of clients) await client.ended();
  await expect(open(port)).rejects.toThrow("ECONNREFUSED");
});
