import { setTimeout as sleep } from "node:timers/promises";
import type { McpClient } from "@idewire/core/client";
import { expect, test } from "vitest";
import { connectTo, startSoakServer } from "../src/soak.ts";

const MEGABYTE = 1_000_000;
const TIMEOUT_MS = 10 * 60_000;

async function callMany(client: McpClient, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) await client.callTool("echo", { text: "hello" });
}

/** Keeps 64 calls in flight. */
async function callAll(client: McpClient, times: number): Promise<void> {
  await Promise.all(Array.from({ length: 64 }, () => callMany(client, times / 64)));
}

test(
  "a million calls leave the server as large as the first 100,000 did",
  async () => {
    const server = await startSoakServer();
    const client = await connectTo(server.address);
    const sizes: number[] = [];
    const heaps: number[] = [];
    for (let part = 0; part < 10; part += 1) {
      await callAll(client, 100_000);
      const { rss, heap } = await server.state();
      sizes.push(rss / MEGABYTE);
      heaps.push(heap / MEGABYTE);
    }
    const round = (numbers: readonly number[]) => numbers.map((each) => each.toFixed(1)).join(" ");
    console.info(`RSS, in MB: ${round(sizes)}\nheap, in MB: ${round(heaps)}`);
    expect(Math.max(...sizes) - (sizes[0] ?? 0)).toBeLessThan(10);
    expect((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)).toBeLessThan(1);
    client.close();
  },
  TIMEOUT_MS,
);

const CONNECTIONS = 5_000;

test(
  "5,000 idle connections cost little, slow no other client, and leave nothing",
  async () => {
    const server = await startSoakServer();
    const otherClient = await connectTo(server.address);
    // The first connections load shared resources.
    const first = await Promise.all(Array.from({ length: 100 }, () => connectTo(server.address)));
    for (const client of first) client.close();
    await expect.poll(async () => (await server.state()).sessions, { timeout: 30_000 }).toBe(1);
    const before = await server.state();
    const clients: McpClient[] = [];
    while (clients.length < CONNECTIONS) {
      const connecting = Array.from({ length: 100 }, () => connectTo(server.address));
      clients.push(...(await Promise.all(connecting)));
    }
    // Each receives the state 300 ms after its handshake.
    await sleep(1_000);
    const full = await server.state();
    expect(full.sessions).toBe(CONNECTIONS + 1);
    const waits: number[] = [];
    for (let index = 0; index < 200; index += 1) {
      const start = performance.now();
      await (clients[index * 25] ?? otherClient).callTool("echo", { text: "quick?" });
      waits.push(performance.now() - start);
    }
    waits.sort((a, b) => a - b);
    for (const client of clients) client.close();
    await expect.poll(async () => (await server.state()).sessions, { timeout: 30_000 }).toBe(1);
    await otherClient.ping();
    const after = await server.state();
    const each = (bytes: number) => (bytes / CONNECTIONS / 1_000).toFixed(2);
    console.info(
      `per connection: heap ${each(full.heap - before.heap)} kB, RSS ${each(full.rss - before.rss)} kB`,
      `\nan answer: median ${waits[100]?.toFixed(2)} ms, longest ${waits.at(-1)?.toFixed(1)} ms`,
      `\nafter all have gone: heap ${each(after.heap - before.heap)} kB each`,
    );
    expect((full.heap - before.heap) / CONNECTIONS).toBeLessThan(6_000 * 1.5);
    expect((full.rss - before.rss) / CONNECTIONS).toBeLessThan(30_000);
    expect(waits[100]).toBeLessThan(25);
    expect((after.heap - before.heap) / CONNECTIONS).toBeLessThan(500);
  },
  TIMEOUT_MS,
);
