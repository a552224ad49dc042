import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { ScriptedHttpServer } from "../src/scripted-http-server.ts";

/** A server that answers everything with the same bytes; returns its host and port. */
async function answering(bytes: string | Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(bytes));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function failureAt(url: string): Promise<Error> {
  return connectOverHttp({ url }).then(
    () => new Error("connected"),
    (error: Error) => error,
  );
}

test.each([
  ["<html>\n<head><title>502 Bad\r\n Gateway</title></head><body>", 502, "HTTP 502 Bad Gateway"],
  ["<title>502 Bad Gateway</title>", 502, "HTTP 502 Bad Gateway"],
  ["<!DOCTYPE html><TITLE>Sign\u0007 in\u202e</TITLE>", 403, "HTTP 403 Sign in"],
  ["<html><title></title><h1>Nothing", 404, "HTTP 404 <html><title></title><h1>Nothing"],
  ["no\nsuch\tplace\u001b[31m", 404, "HTTP 404 no such place[31m"],
  [`<title>${"x".repeat(300)}</title>`, 400, `HTTP 400 ${"x".repeat(200)}`],
])("a refusal of %j is shown by its status and title", async (body, status, shown) => {
  await using server = await new ScriptedHttpServer((_, response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(body),
  ).listen();
  expect((await failureAt(server.url)).message).toBe(`initialize at ${server.url}: ${shown}`);
});

test.each([
  ['{"error":{"code":-32600,"message":"The token\\nis wrong"}}', "HTTP 401 The token is wrong"],
  ['{"error":{"code":-32600}}', 'HTTP 401 {"error":{"code":-32600}}'],
])(
  "a refusal of the first request by %s is shown by its status and message",
  async (body, shown) => {
    await using server = await new ScriptedHttpServer((_, response) =>
      response.writeHead(401, { "content-type": "application/json" }).end(body),
    ).listen();
    const refused = connectOverHttp(server, { era: "auto" });
    await expect(refused).rejects.toThrow(`server/discover at ${server.url}: ${shown}`);
  },
);

test("a server without TLS is distinguished from one with it, and has not received the message", async () => {
  const place = await answering("HTTP/1.1 400 Bad Request\r\n\r\n");
  expect(await failureAt(`https://${place}/mcp`)).toMatchObject({
    code: "unreachable",
    message: `initialize at https://${place}/mcp: the server cannot be reached: it does not speak TLS: try http: in place of https:`,
  });
});

test("a server with TLS alone is recognised by its alert", async () => {
  const place = await answering(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x46]));
  expect(await failureAt(`http://${place}/mcp`)).toMatchObject({
    code: "unreachable",
    message: `initialize at http://${place}/mcp: the server cannot be reached: it speaks TLS: try https: in place of http:`,
  });
});

test("a status that fetch itself refuses is named", async () => {
  const place = await answering("HTTP/1.1 407 Proxy\r\ncontent-length: 2\r\n\r\nno");
  expect(await failureAt(`http://${place}/mcp`)).toMatchObject({
    code: "lost",
    message: expect.stringMatching(/^initialize at http:.*: fetch rejects this response.*HTTP 407/),
  });
});

/** A port without a listener. */
async function freedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("an address that does not listen, or disconnects, is named", async () => {
  const broken = await answering("");
  const port = await freedPort();
  for (const [url, means] of [
    ["http://127.0.0.1:1/mcp", "the server cannot be reached: bad port"],
    [
      `http://127.0.0.1:${port}/mcp`,
      `the server cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
    ],
    [`http://${broken}/mcp`, "the connection broke off: "],
  ] as const) {
    expect((await failureAt(url)).message).toContain(`initialize at ${url}: ${means}`);
  }
});

test("of a name whose addresses do not listen, the first one is named", async () => {
  const port = await freedPort();
  const url = `http://two.test:${port}/mcp`;
  const addresses = ["::1", "127.0.0.1"];
  const refusals = addresses.map((address) => {
    const error = new Error(`connect ECONNREFUSED ${address}:${port}`);
    return Object.assign(error, { code: "ECONNREFUSED", syscall: "connect" });
  });
  // The error of Node's fetch.
  const cause = Object.assign(new AggregateError(refusals, ""), { code: "ECONNREFUSED" });
  const refused = async () => {
    throw new TypeError("fetch failed", { cause });
  };
  const error: unknown = await connectOverHttp({ url }, {}, { fetch: refused }).catch((e) => e);
  expect(error).toMatchObject({
    code: "unreachable",
    message: `initialize at ${url}: the server cannot be reached: connect ECONNREFUSED ::1:${port}`,
  });
});
