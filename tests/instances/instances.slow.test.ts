import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { calling, openSession, posting, type Send } from "../src/http-client.ts";
import { connectRedis, startRedis } from "../src/redis-server.ts";

const script = new URL("./chaos-instance.mjs", import.meta.url).pathname;
const IDLE_MS = 5_000;
const MEGABYTE = 1_000_000;

async function open() {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const client = await connectRedis(redis.path);
  onTestFinished(() => client.destroy());
  const args = [script, redis.path, "/dev/null", String(IDLE_MS)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const send: Send = (init) => fetch(url, init);
  const rss = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / MEGABYTE;
  };
  return { client, send, rss };
}

/** Repeats an action, 32 at once. */
async function many(times: number, act: () => Promise<unknown>): Promise<void> {
  const some = async () => {
    for (let n = 0; n < times / 32; n += 1) await act();
  };
  await Promise.all(Array.from({ length: 32 }, some));
}

test(
  "100,000 calls leave an instance as large as the first 20,000 did",
  async () => {
    const { send, rss } = await open();
    const session = await openSession(send);
    const sizes: number[] = [];
    for (let part = 0; part < 5; part += 1) {
      await many(20_000, async () => {
        const response = await send(posting(calling(1, "echo"), session));
        expect(response.status).toBe(200);
        await response.text();
      });
      sizes.push(await rss());
    }
    console.info(`RSS, in MB: ${sizes.map((size) => size.toFixed(1)).join(" ")}`);
    expect(Math.max(...sizes) - (sizes[0] ?? 0)).toBeLessThan(15);
  },
  20 * 60_000,
);

test(
  "10,000 abandoned sessions enlarge neither the instance nor Redis",
  async () => {
    const { client, send, rss } = await open();
    const abandon = () => many(10_000, () => openSession(send));
    const left = () => expect.poll(() => client.dbSize(), { timeout: 60_000 }).toBe(1);
    await abandon();
    await left();
    const before = await rss();
    await abandon();
    await left();
    const after = await rss();
    console.info(`RSS, in MB: ${before.toFixed(1)} ${after.toFixed(1)}`);
    expect(after - before).toBeLessThan(15);
  },
  20 * 60_000,
);
