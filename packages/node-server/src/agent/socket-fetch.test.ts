import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createNetServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { createSocketFetch } from "./socket-fetch.ts";

const LIMIT = { timeout: 60_000 };

/** A server at a socket, with a handler of requests. */
async function serve(answer: RequestListener) {
  const socketPath = join(temporaryFolder("idewire-"), "s.sock");
  const server = createServer(answer).listen(socketPath);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return { server, fetch: createSocketFetch(socketPath) };
}

/** A program at a socket that answers any data with the same bytes. */
async function speak(words: string, ends = true) {
  const socketPath = join(temporaryFolder("idewire-"), "s.sock");
  const server = createNetServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => (ends ? socket.end(words) : socket.write(words)));
    onTestFinished(() => void socket.destroy());
  });
  server.listen(socketPath);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return createSocketFetch(socketPath);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return text;
}

test("a request has its path, its headers, its body, and localhost as its host", async () => {
  const { fetch } = await serve(async (request, response) => {
    const { method, url, headers } = request;
    const { host, "x-some": some } = headers;
    response.setHeader("x-two", ["a", "b"]);
    response.end(JSON.stringify({ method, url, host, some, text: await textOf(request) }));
  });
  const headers = { "X-Some": "thing", host: "elsewhere" };
  const asked = { method: "POST", headers, body: "ü" };
  const response = await fetch("http://localhost/mcp?a=1", asked);
  expect([response.status, response.headers.get("x-two")]).toEqual([200, "a, b"]);
  expect(await response.json()).toEqual({
    ...{ method: "POST", url: "/mcp?a=1", host: "localhost", some: "thing", text: "ü" },
  });
});

test("a response without a body has none", async () => {
  const { fetch } = await serve((_, response) => response.writeHead(204).end());
  const { status, body } = await fetch("http://localhost/");
  expect([status, body]).toEqual([204, null]);
});

test("a body is read at the pace of its reader, to its end", async () => {
  const chunk = "x".repeat(65_536);
  const chunks = 1_000;
  let written = 0;
  let isFull = false;
  const { fetch } = await serve((_, response) => {
    const write = () => {
      isFull = false;
      while (written < chunks && !isFull) {
        isFull = !response.write(chunk);
        written += 1;
      }
      if (written === chunks) response.end();
    };
    response.on("drain", write);
    write();
  });
  const { body } = await fetch("http://localhost/");
  let before = -1;
  const hasStopped = () => {
    const is = isFull && written === before;
    before = written;
    return is;
  };
  await expect.poll(hasStopped, LIMIT).toBe(true);
  expect(written).toBeLessThan(chunks / 2);
  let bytes = 0;
  for await (const piece of body ?? []) bytes += piece.length;
  expect(bytes).toBe(chunk.length * chunks);
});

test("aborting ends the connection: before the answer, and in its body", async () => {
  let closed = 0;
  const { fetch } = await serve((request, response) => {
    request.socket.once("close", () => {
      closed += 1;
    });
    if (request.url === "/body") response.write("first");
  });
  const before = new AbortController();
  const unanswered = fetch("http://localhost/", { signal: before.signal });
  unanswered.catch(() => {});
  const within = new AbortController();
  const { body } = await fetch("http://localhost/body", { signal: within.signal });
  const reader = body?.getReader();
  await reader?.read();
  const next = reader?.read();
  next?.catch(() => {});
  before.abort();
  within.abort();
  await expect(unanswered).rejects.toThrow(/abort/);
  await expect(next).rejects.toThrow(/abort/);
  await expect.poll(() => closed, LIMIT).toBe(2);
  const { signal } = before;
  await expect(fetch("http://localhost/", { signal })).rejects.toThrow(/abort/);
});

test("cancelling a body ends the connection", async () => {
  let isClosed = false;
  const { fetch } = await serve((request, response) => {
    request.socket.once("close", () => {
      isClosed = true;
    });
    response.write("first");
  });
  const { body } = await fetch("http://localhost/");
  const reader = body?.getReader();
  await reader?.read();
  const next = reader?.read();
  await reader?.cancel();
  expect(await next).toMatchObject({ done: true });
  await expect.poll(() => isClosed, LIMIT).toBe(true);
});

test.each([
  ["a response that is not HTTP", "220 mail ready\r\n"],
  ["an invalid status", "HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n"],
  ["an upgrade", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
  ["a header that is too long", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
  ["an empty response", ""],
])("%s is an error", async (_, words) => {
  const fetch = await speak(words);
  await expect(fetch("http://localhost/")).rejects.toThrow();
});

test("a body that breaks off is an error for its reader only", async () => {
  const fetch = await speak("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
  const [read, unread] = await Promise.all([
    fetch("http://localhost/"),
    fetch("http://localhost/"),
  ]);
  await expect(read.text()).rejects.toThrow();
  expect(unread.status).toBe(200);
});

test("without a listener the error is that of the system", async () => {
  const fetch = createSocketFetch(join(temporaryFolder("idewire-"), "none.sock"));
  const error = { code: "ENOENT", syscall: "connect" };
  await expect(fetch("http://localhost/")).rejects.toMatchObject(error);
});
