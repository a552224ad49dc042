import { randomBytes } from "node:crypto";
import { startRedis } from "../../src/redis-server.ts";
import { type RunningServer, startEverything } from "./start-everything.ts";
import { startRandomProxy } from "./start-random-proxy.ts";

/**
 * Starts several instances of the built server, which share a Redis, behind a proxy that picks one at random
 * for each request.
 */
export async function startInstances(count: number): Promise<RunningServer> {
  const redis = await startRedis();
  const flags = ["--redis", redis.path, "--key", randomBytes(32).toString("hex")];
  const instances = await Promise.all(Array.from({ length: count }, () => startEverything(flags)));
  const proxy = await startRandomProxy(instances.map(({ url }) => url));
  return {
    url: proxy.url,
    async close() {
      await proxy.close();
      await Promise.all(instances.map((instance) => instance.close()));
      await redis.close();
    },
  };
}
