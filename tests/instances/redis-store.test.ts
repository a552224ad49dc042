import { mcpStoreContract } from "@idewire/core/testing";
import { type RedisClient, redisStore } from "@idewire/node-server/redis";
import { createClient as createClient5 } from "redis-5";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectRedis, type RedisProcess, startRedis } from "../src/redis-server.ts";
import { checkMerging } from "../src/session-merging.ts";

let redis: RedisProcess;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

let made = 0;

interface TestClient extends RedisClient {
  destroy(): void;
}

async function openStores(connect: (path: string) => Promise<TestClient> = connectRedis) {
  const prefix = `test${made++}:`;
  const clients = await Promise.all([connect(redis.path), connect(redis.path)]);
  const [one, two] = clients.map((client) => redisStore({ client, prefix }));
  if (one === undefined || two === undefined) throw new Error("There is no store");
  const dispose = () => {
    for (const store of [one, two]) store.close();
    for (const client of clients) client.destroy();
  };
  return { one, two, prefix, dispose };
}

/** A client of the previous major version, whose types are in another package. */
async function connectRedis5(path: string): Promise<TestClient> {
  const client = createClient5({ socket: { path, reconnectStrategy: 20 } });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

const clients = [
  ["redis 6", connectRedis],
  ["redis 5", connectRedis5],
] as const;
for (const [name, connect] of clients) {
  mcpStoreContract(
    { test, expect },
    {
      name: `Redis by ${name}`,
      make: async () => ({
        ...(await openStores(connect)),
        // The clock of Redis cannot be set.
        pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      }),
    },
  );
}

test("all keys have the prefix and an expiry", async () => {
  const { one, prefix, dispose } = await openStores();
  const client = await connectRedis(redis.path);
  await one.sessions.begin("a", {}, { ttlMs: 60_000, maxSessions: 1 });
  await one.leases.renew("a", 60_000);
  await one.replays.seen("a", 60_000);
  await one.events.open("s", { ids: [1] }, 60_000);
  await one.events.append("s", { frame: "x" }, 60_000);
  const keys = await client.keys(`${prefix}*`);
  expect(keys.toSorted()).toEqual(
    ["events:s", "lease:a", "seen:a", "session:a", "sessions"].map((key) => `${prefix}${key}`),
  );
  for (const key of keys) expect(await client.pTTL(key)).toBeGreaterThan(50_000);
  client.destroy();
  dispose();
});

test("in Redis, concurrent requests that change one session lose no change", async () => {
  const { one, dispose } = await openStores();
  await checkMerging(one, 15);
  dispose();
});
