import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import { advice, findRedis } from "../../scripts/redis-server.mjs";

/** A separate Redis without persistence, and a client of it. The caller closes it. */
export async function openRedis() {
  const command = findRedis();
  if (command === undefined) throw new Error(`There is no redis-server. ${advice}`);
  const folder = mkdtempSync(join(tmpdir(), "idewire-bench-redis-"));
  const path = join(folder, "redis.sock");
  const args = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder];
  const child = spawn(command, args, { stdio: "ignore" });
  const client = createClient({ socket: { path, reconnectStrategy: 20 } });
  client.on("error", () => undefined);
  await client.connect();
  return {
    client,
    async close() {
      client.destroy();
      const exited = once(child, "exit");
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
