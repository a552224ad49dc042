import { connect, type Socket } from "node:net";
import { McpServer } from "@idewire/core/server";
import type { RequestHead } from "@idewire/http";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  calling,
  carriedByThree,
  carriers,
  type EndpointOptions,
  eventsOf,
  getting,
  openSession,
  posting,
  request,
} from "../src/http-client.ts";

const MIB = 1 << 20;

const authorize = (head: RequestHead) => ({
  context: undefined,
  principal: head.header("x-name") ?? "",
});
const as = (name: string) => ({ "x-name": name });

/** A server with a tool that runs until it is released, and the number of aborted calls. */
function makeServer() {
  const server = new McpServer<unknown>({ name: "s", version: "1" });
  const waiting: (() => void)[] = [];
  let aborted = 0;
  server.tool("wait", {}, async (_, call) => {
    call.signal.addEventListener("abort", () => {
      aborted += 1;
    });
    await new Promise<void>((resolve) => waiting.push(resolve));
    return "done";
  });
  server.tool("large", {}, () => "x".repeat(8 * MIB));
  server.tool("size", { input: { type: "object" } }, (args) => `${JSON.stringify(args).length}`);
  return { server, waiting, aborted: () => aborted };
}

async function openBy(
  carry: (typeof carriers)[string],
  limits: NonNullable<EndpointOptions["limits"]>,
) {
  const made = makeServer();
  const endpoint = await carry({ server: made.server, authorize, limits });
  onTestFinished(async () => {
    for (const release of made.waiting) release();
    await endpoint.close();
  });
  return { ...endpoint, ...made };
}

describe.each(Object.entries({ ...carriers, "three instances": carriedByThree }))(
  "over the %s",
  (_, carry) => {
    test("one client's sessions neither end those of other clients nor block them", async () => {
      const { send } = await openBy(carry, { maxSessions: 5 });
      const ann = [];
      for (let count = 0; count < 2; count += 1) {
        ann.push(await openSession(send, { headers: as("ann") }));
      }
      const mallory = [];
      for (let count = 0; count < 12; count += 1) {
        const session = await openSession(send, { headers: as("mallory") }).catch(() => undefined);
        if (session !== undefined) mallory.push(session);
      }
      const bob = await openSession(send, { headers: as("bob") });
      for (const session of [...ann, bob]) {
        expect((await send(posting(request(1, "ping"), session))).status).toBe(200);
      }
      const theirs = await Promise.all(
        mallory.map(async (session) => (await send(posting(request(1, "ping"), session))).status),
      );
      expect(theirs.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
    });

    test("a client with a stream in each of its sessions blocks no other", async () => {
      const { send } = await openBy(carry, { maxSessions: 3 });
      const streams = [];
      for (let count = 0; count < 3; count += 1) {
        const session = await openSession(send, { headers: as("mallory") });
        const events = eventsOf(await send(getting(session)));
        await events.next();
        streams.push(events);
      }
      await expect(openSession(send, { headers: as("mallory") })).rejects.toThrow("Too many");
      const ann = await openSession(send, { headers: as("ann") });
      expect((await send(posting(request(1, "ping"), ann))).status).toBe(200);
      // The stream of the evicted session ends.
      const ended = await Promise.race(streams.map(async (events) => (await events.next()).done));
      expect(ended).toBe(true);
    });
  },
);

describe.each(Object.entries(carriers))("over the %s alone", (_, carry) => {
  test("one client's open requests neither block nor end those of other clients", async () => {
    const { send, waiting, aborted } = await openBy(carry, { maxOpenRequests: 4 });
    const ann = await openSession(send, { headers: as("ann") });
    const own = send(posting(calling(1, "wait"), ann));
    await expect.poll(() => waiting.length).toBe(1);
    const mallory = await openSession(send, { headers: as("mallory") });
    const calls = [];
    for (let id = 1; id <= 3; id += 1) {
      calls.push(send(posting(calling(id, "wait"), mallory)));
      await expect.poll(() => waiting.length).toBe(1 + id);
    }
    const more = await send(posting(calling(4, "wait"), mallory));
    expect([more.status, more.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await send(posting(request(2, "ping"), ann))).status).toBe(200);
    const bob = await openSession(send, { headers: as("bob") });
    expect((await send(posting(request(2, "ping"), bob))).status).toBe(200);
    // The oldest request of the client with the most is ended, and its call aborted.
    const oldest = await calls[0];
    // On a slow machine its answer may have started as a stream with status 200, which ends without the result.
    expect([200, 503]).toContain(oldest?.status);
    expect(await oldest?.text()).not.toContain("done");
    expect(aborted()).toBeLessThanOrEqual(2);
    for (const release of waiting) release();
    expect(await (await own).text()).toContain("done");
  });

  test("a disconnected client's call counts until it ends", async () => {
    const { send, waiting } = await openBy(carry, { maxOpenRequests: 3 });
    const mallory = await openSession(send, { headers: as("mallory") });
    for (let id = 1; id <= 3; id += 1) {
      const cut = new AbortController();
      const call = send(posting(calling(id, "wait"), mallory, cut.signal)).catch(() => undefined);
      await expect.poll(() => waiting.length).toBe(id);
      cut.abort();
      await call;
    }
    expect((await send(posting(request(4, "ping"), mallory))).status).toBe(503);
    for (const release of waiting) release();
    await expect
      .poll(async () => (await send(posting(request(5, "ping"), mallory))).status)
      .toBe(200);
  });

  test("streams are counted for their principal", async () => {
    const { send } = await openBy(carry, { maxOpenRequests: 6 });
    const streams = [];
    for (let count = 0; count < 6; count += 1) {
      const session = await openSession(send, { headers: as("mallory") }).catch(() => undefined);
      if (session === undefined) break;
      const events = eventsOf(await send(getting(session)));
      await events.next();
      streams.push(events);
    }
    const ann = await openSession(send, { headers: as("ann") });
    const own = eventsOf(await send(getting(ann)));
    expect((await own.next()).done).toBe(false);
    expect((await send(posting(request(1, "ping"), ann))).status).toBe(200);
    await own.return(undefined);
    for (const events of streams) await events.return(undefined).catch(() => undefined);
  });
});

test("the bodies of all clients together take a bounded number of bytes, with space left for others", async () => {
  const { url, send } = await openBy(carriers["listener"] as never, {});
  const { port } = new URL(url);
  const part = Buffer.alloc(4 * MIB - 1024, " ");
  const before = process.memoryUsage().rss;
  let answers = "";
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    ...[
      "x-name: mallory",
      "Content-Type: application/json",
      `Content-Length: ${part.length + 100}`,
    ],
  ];
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("data", (bytes) => {
      answers += String(bytes);
    });
    socket.on("error", () => undefined);
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    socket.write(part);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const refusals = () => answers.split("HTTP/1.1 503").length - 1;
  await expect.poll(refusals).toBeGreaterThanOrEqual(84);
  expect(process.memoryUsage().rss - before).toBeLessThan(350 * MIB);
  const ann = await openSession(send, { headers: as("ann") });
  const large = calling(1, "size", { text: "x".repeat(3 * MIB) });
  const call = async () => {
    const answer = await send(posting(large, ann));
    return [answer.status, await answer.text()];
  };
  expect(await call()).toEqual([200, expect.stringContaining("31457")]);
  // Room is made by the one who has most, once all of its bodies have arrived.
  const refusalsAfterCall = () => call().then(refusals);
  await expect.poll(refusalsAfterCall).toBeGreaterThan(84);
});

test("the unread answers of all clients together take a bounded number of bytes, with space left for others", async () => {
  const { url, send } = await openBy(carriers["listener"] as never, {});
  const { port } = new URL(url);
  const session = await openSession(send, { headers: as("mallory") });
  const body = JSON.stringify(calling(1, "large"));
  const { headers } = posting(body, { ...session, host: `127.0.0.1:${port}` });
  const lines = Object.entries(headers as Record<string, string>);
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const before = process.memoryUsage().rss;
  const reading: { socket: Socket; bytes: number; isOver: boolean }[] = [];
  for (let id = 1; id <= 100; id += 1) {
    const text = body.replace('"id":1', `"id":${id}`);
    const reader = { socket: connect(Number(port), "127.0.0.1"), bytes: 0, isOver: false };
    const { socket } = reader;
    reading.push(reader);
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => {
      reader.isOver = true;
    });
    socket.once("data", () => socket.pause());
    socket.on("data", ({ length }) => {
      reader.bytes += length;
      reader.isOver ||= reader.bytes > 8 * MIB;
    });
    socket.write(`POST /mcp HTTP/1.1\r\n${head}Content-Length: ${text.length}\r\n\r\n${text}`);
    await expect.poll(() => reader.bytes > 0 || reader.isOver, { interval: 5 }).toBe(true);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(600 * MIB);
  const ann = await openSession(send, { headers: as("ann") });
  const answer = await send(posting(calling(1, "large"), ann));
  expect((await answer.text()).length).toBeGreaterThan(8 * MIB);
  // The oldest were aborted: 256 MiB hold 31 answers.
  for (const { socket } of reading) socket.resume();
  await expect.poll(() => reading.every(({ isOver }) => isOver)).toBe(true);
  const whole = reading.filter(({ bytes }) => bytes > 8 * MIB);
  expect(whole.length).toBeLessThanOrEqual(32);
  expect(reading.at(-1)).toBe(whole.at(-1));
});

test("an unfinished body is freed when its client disconnects", async () => {
  const limits = { maxBodyBytes: 16 * MIB };
  const { send, url } = await openBy(carriers["handler"] as never, limits);
  expect(url).toBeDefined();
  const chunk = new Uint8Array(15 * MIB).fill(32);
  const cuts: AbortController[] = [];
  for (let count = 0; count < 4; count += 1) {
    const cut = new AbortController();
    cuts.push(cut);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(chunk),
    });
    const init = { ...posting("", as("mallory"), cut.signal), body, duplex: "half" } as RequestInit;
    void send(init).catch(() => undefined);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  const initialize = () => {
    const params = { protocolVersion: "2025-11-25", capabilities: {} };
    const message = request(1, "initialize", params);
    return send(posting(`${JSON.stringify(message)}${" ".repeat(5 * MIB)}`, as("mallory")));
  };
  expect((await initialize()).status).toBe(503);
  for (const cut of cuts) cut.abort();
  await expect.poll(async () => (await initialize()).status).not.toBe(503);
});
