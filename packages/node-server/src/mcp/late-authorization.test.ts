import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@idewire/core/server";
import type { Access } from "@idewire/http/internal";
import { expect, onTestFinished, test } from "vitest";
import { listenMcp } from "./listen-mcp.ts";

type Authorize = Access<undefined>["authorize"];

async function open(authorize: Authorize) {
  const server = new McpServer<undefined>({ name: "s", version: "1" });
  const errors: unknown[] = [];
  const limits = { maxOpenRequests: 2 };
  const listener = await listenMcp(server, {
    ...{ authorize, limits },
    onerror: (error: unknown) => errors.push(error),
  });
  onTestFinished(() => listener.close());
  return { listener, errors };
}

/** Sends a text; resolves to all data received until either end closes: ours after `leaving`. */
function talk(port: number, text: string, leaving?: Promise<unknown>): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (bytes) => {
      received += String(bytes);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
    void leaving?.then(() => socket.destroy());
  });
}

const initialize = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: {
    ...{ protocolVersion: "2025-11-25", capabilities: {} },
    clientInfo: { name: "c", version: "1" },
  },
});

function post(port: number): string {
  const head = [
    `POST /mcp HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "Connection: close",
    `Content-Length: ${initialize.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${initialize}`;
}

test("clients that disconnect during authorization take no other client's place", async () => {
  let lookups = 0;
  const { listener } = await open(async () => {
    lookups += 1;
    await sleep(50);
    return { context: undefined, principal: "anybody" };
  });
  for (let count = 1; count <= 3; count += 1) {
    const lookedUp = expect.poll(() => lookups).toBe(count);
    await talk(listener.port, post(listener.port), lookedUp);
  }
  await expect
    .poll(() => talk(listener.port, post(listener.port)))
    .toMatch(/^HTTP\/1\.1 200 [\s\S]*"serverInfo"/);
});

test("a request that Node answers itself is harmless when its authorization fails", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const { listener } = await open(() => Promise.reject(new Error("the key has expired")));
  const head = ["POST /mcp HTTP/1.1", `Host: 127.0.0.1:${listener.port}`, "Content-Length: 0"];
  for (const asks of [
    "Expect: foo\r\nConnection: close",
    "Connection: Upgrade\r\nUpgrade: websocket",
  ]) {
    const answer = await talk(listener.port, `${head.join("\r\n")}\r\n${asks}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 [45]\d\d /);
  }
  await sleep(20);
  expect(unhandled).toEqual([]);
});

test("a refusal with an unsendable header is sent encoded", async () => {
  const { listener } = await open(async () => ({
    ...{ status: 401, message: "no", headers: { "www-authenticate": "Bearer\r\nx: y" } },
  }));
  const answer = await talk(listener.port, post(listener.port));
  expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*www-authenticate: Bearer%0D%0Ax: y\r\n/i);
});
