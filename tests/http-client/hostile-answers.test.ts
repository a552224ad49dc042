import type { Socket } from "node:net";
import { IdewireError } from "@idewire/core/rpc";
import { expect, test } from "vitest";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { RawHttpServer, type RawRequest, response } from "../src/hostile/raw-http-server.ts";

type Era = "legacy" | "modern";

const token = "secret-0123456789";
const OK = "HTTP/1.1 200 OK\r\n";
const JSON_TYPE = "content-type: application/json\r\n";
const EVENTS_TYPE = "content-type: text/event-stream\r\n";
const CHUNKED = "transfer-encoding: chunked\r\n";
const maxFrameBytes = 100_000;
const hello = {
  protocolVersion: "2025-11-25",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  serverInfo: { name: "raw", version: "1" },
};

const answerWith = (id: unknown, result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result });
const right = (id: unknown) => answerWith(id, { content: [{ type: "text", text: "right" }] });
const wrong = (id: unknown) => answerWith(id, { content: [{ type: "text", text: "wrong" }] });
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const ended = (text: string) => (socket: Socket) => void socket.end(text);
const cut = (text: string) => (socket: Socket) => void socket.write(text, () => socket.destroy());
const left = (text: string) => (socket: Socket) => void socket.write(text);

/** A bad answer, the outcome of its call, and the bytes, given the id of the call. */
type BadAnswer = readonly [string, string, (id: number) => (socket: Socket) => void];

const bodies: readonly BadAnswer[] = [
  ["nothing at all", "lost", () => ended("")],
  ["a status line that is cut", "lost", () => cut("HTTP/1.1 20")],
  ["headers that are cut", "lost", () => cut(`${OK}x-token: ${token}\r\n`)],
  [
    "a body that is cut",
    "lost",
    (id) => cut(`${OK}${JSON_TYPE}content-length: 500\r\n\r\n${right(id)}`),
  ],
  [
    "a body longer than its length",
    "protocol",
    (id) => ended(`${OK}${JSON_TYPE}content-length: 20\r\n\r\n${right(id)}`),
  ],
  [
    "a negative length",
    "lost",
    (id) => ended(`${OK}${JSON_TYPE}content-length: -1\r\n\r\n${right(id)}`),
  ],
  [
    "two lengths",
    "lost",
    (id) => ended(`${OK}${JSON_TYPE}content-length: 5\r\ncontent-length: 6\r\n\r\n${right(id)}`),
  ],
  [
    "a length that is not a number",
    "lost",
    () => ended(`${OK}${JSON_TYPE}content-length: ${token}\r\n\r\n`),
  ],
  [
    "a chunk whose size is not a number",
    "lost",
    () => ended(`${OK}${JSON_TYPE}${CHUNKED}\r\n${token}\r\n`),
  ],
  [
    "a chunk shorter than its size",
    "lost",
    (id) => cut(`${OK}${JSON_TYPE}${CHUNKED}\r\nfff\r\n${right(id)}`),
  ],
  [
    "chunks without the last one",
    "lost",
    (id) => cut(`${OK}${JSON_TYPE}${CHUNKED}\r\n${chunk(right(id))}`),
  ],
  ["no HTTP", "lost", () => ended(`${token}\r\n\r\n`)],
  ["HTTP 9.9", "lost", () => ended(`HTTP/9.9 200 ${token}\r\n\r\n`)],
  [
    // Node's fetch does not always report a failed decompression.
    "compressed invalid JSON",
    "lost or timeout",
    (id) => ended(`${OK}${JSON_TYPE}content-encoding: gzip\r\n\r\n${right(id)}`),
  ],
];

const messages: readonly BadAnswer[] = [
  ["an answer to another call", "protocol", (id) => left(response(wrong(id + 1_000)))],
  ["an answer to no call", "protocol", () => left(response(wrong(null)))],
  ["no JSON", "protocol", () => left(response(`{${token}`))],
  ["an empty body", "protocol", () => left(response(""))],
  ["JSON of a word", "protocol", () => left(response(`"${token}"`))],
  ["an empty batch", "protocol", () => left(response("[]"))],
  ["no result", "protocol", (id) => left(response(JSON.stringify({ jsonrpc: "2.0", id, token })))],
  [
    "an error that is a string",
    "protocol",
    (id) => left(response(JSON.stringify({ jsonrpc: "2.0", id, error: token }))),
  ],
  [
    "a result of the wrong shape",
    "protocol",
    (id) => left(response(answerWith(id, { content: token }))),
  ],
  [
    "more than is allowed",
    "protocol",
    (id) => left(response(answerWith(id, "x".repeat(maxFrameBytes)))),
  ],
  [
    "levels without end",
    "protocol",
    (id) => left(response(`{"jsonrpc":"2.0","id":${id},"result":${"[".repeat(40_000)}`)),
  ],
  ["JSON as text", "protocol", (id) => left(response(right(id), 200, `text/plain; x=${token}`))],
  [
    "a page",
    "protocol",
    (id) => left(response(`<title>${token}</title>${right(id)}`, 200, "text/html")),
  ],
  ["an answer with status 202", "protocol", (id) => left(response(right(id), 202, "text/plain"))],
  [
    "a redirect to nowhere",
    "unreachable",
    () => left(`HTTP/1.1 308 X\r\nlocation: ${token}://x\r\ncontent-length: 0\r\n\r\n`),
  ],
  [
    "a redirect in a circle",
    "unreachable",
    () => left("HTTP/1.1 308 X\r\nlocation: /mcp?circle\r\ncontent-length: 0\r\n\r\n"),
  ],
  ["a status beyond HTTP", "lost", () => left(response(token, 799, "text/plain"))],
];

const streams: readonly BadAnswer[] = [
  ["a stream without an event", "lost", () => ended(`${OK}${EVENTS_TYPE}\r\n`)],
  [
    "a stream that is cut within an event",
    "lost",
    (id) => cut(`${OK}${EVENTS_TYPE}\r\ndata: ${right(id)}`),
  ],
  [
    "an event that is too large",
    "protocol",
    () => left(`${OK}${EVENTS_TYPE}\r\ndata: ${"x".repeat(maxFrameBytes + 1)}`),
  ],
  ["events that are no JSON", "lost", () => ended(`${OK}${EVENTS_TYPE}\r\ndata: {${token}\n\n`)],
  [
    "events for others",
    "lost",
    (id) => ended(`${OK}${EVENTS_TYPE}\r\ndata: ${wrong(id + 1_000)}\n\n`),
  ],
  [
    "a body that stalls",
    "timeout",
    (id) => left(`${OK}${JSON_TYPE}content-length: 500\r\n\r\n${right(id)}`),
  ],
  ["a stream that stalls", "timeout", () => left(`${OK}${EVENTS_TYPE}\r\n: ${token}\n\n`)],
  ["no word", "timeout", () => () => {}],
];

const answered: readonly (readonly [string, (id: number) => (socket: Socket) => void])[] = [
  [
    "two answers in events",
    (id) => ended(`${OK}${EVENTS_TYPE}\r\ndata: ${right(id)}\n\ndata: ${wrong(id)}\n\n`),
  ],
  ["two responses", (id) => left(`${response(right(id))}${response(wrong(id + 1))}`)],
  [
    "an answer, and no end of its stream",
    (id) => left(`${OK}${EVENTS_TYPE}\r\ndata: ${right(id)}\n\n`),
  ],
  ["an answer with its id as a string", (id) => left(response(right(String(id))))],
  ["an answer byte by byte", (id) => (socket) => void drip(socket, response(right(id)))],
  [
    "an answer after an early hint",
    (id) => left(`HTTP/1.1 103 X\r\nlink: </${token}>\r\n\r\n${response(right(id))}`),
  ],
];

async function drip(socket: Socket, text: string): Promise<void> {
  for (const each of text) {
    if (!socket.write(each)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isUsual({ method, id }: RawRequest, socket: Socket, era: Era): boolean {
  if (id === undefined) socket.write("HTTP/1.1 202 X\r\ncontent-length: 0\r\n\r\n");
  else if (method === "initialize" || (method === "server/discover" && era === "modern"))
    socket.write(response(answerWith(id, hello)));
  else return false;
  return true;
}

async function connect(era: Era, write: (id: number) => (socket: Socket) => void) {
  const server = await new RawHttpServer((request, socket) => {
    if (isUsual(request, socket, era)) return;
    const { id = 0, tool } = request;
    if (tool === "bad") write(id)(socket);
    else socket.write(response(right(id)));
  }).listen();
  const eras = { era: era === "modern" ? "auto" : "legacy" } as const;
  const headers = { authorization: `Bearer ${token}` };
  const client = await connectOverHttp(server, eras, { headers, maxFrameBytes });
  return { client, server };
}

const both = <T extends readonly unknown[]>(rows: readonly T[]) =>
  rows.flatMap((row) => (["legacy", "modern"] as const).map((era) => [era, ...row] as const));

const rightAnswer = { content: [{ type: "text", text: "right" }] };

test.concurrent.each(both([...bodies, ...messages, ...streams]))(
  "in the %s era, a call that is answered with %s ends as %s, without the token, and the next one works",
  async (era, _, code, write) => {
    const { client, server } = await connect(era, write);
    await using __ = server;
    const options = { timeoutMs: code.endsWith("timeout") ? 300 : 20_000 };
    const error: unknown = await client.callTool("bad", {}, options).catch((reason) => reason);
    expect(error).toBeInstanceOf(IdewireError);
    expect(code.split(" or ")).toContain((error as IdewireError).code);
    expect(`${(error as Error).stack}${(error as Error).cause}`).not.toContain(token);
    expect(await client.callTool("good")).toMatchObject(rightAnswer);
    client.close();
  },
);

test.concurrent.each(both(answered))(
  "in the %s era, %s are the first one, and the next call works",
  async (era, _, write) => {
    const { client, server } = await connect(era, write);
    await using __ = server;
    expect(await client.callTool("bad")).toMatchObject(rightAnswer);
    expect(await client.callTool("good")).toMatchObject(rightAnswer);
    client.close();
  },
);
