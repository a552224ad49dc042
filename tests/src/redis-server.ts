import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient } from "redis";
import { findRedis } from "../../scripts/redis-server.mjs";
import { removeFolder } from "./remove-folder.ts";

/** A Redis server with its data in a new folder. The caller closes it. */
export interface RedisProcess {
  /** The path of its socket. */
  readonly path: string;
  /** Kills it, as in a crash; resolves when it has exited. */
  kill(): Promise<void>;
  /** Starts it again with its data. */
  start(): Promise<void>;
  /** Suspends it, as on a hanging machine, or resumes it. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  close(): Promise<void>;
}

/** Starts the `redis-server` of this machine. */
export async function startRedis(): Promise<RedisProcess> {
  const command = findRedis();
  if (command === undefined) throw new Error("NOT TESTED, without redis-server");
  const folder = await mkdtemp(join(tmpdir(), "idewire-redis-"));
  const path = join(folder, "redis.sock");
  // Every write is persisted, as configured for sessions that must not be lost.
  const files = ["--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const args = ["--port", "0", "--unixsocket", path, ...files];
  const spawnServer = () => spawn(command, args, { stdio: "ignore" });
  let child = spawnServer();
  await answers(path);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  return {
    path,
    kill,
    async start() {
      child = spawnServer();
      await answers(path);
    },
    signal: (name) => void child.kill(name),
    async close() {
      await kill();
      await removeFolder(folder);
    },
  };
}

/** A connected client. The caller destroys it. */
export async function connectRedis(path: string) {
  const client = createClient({ socket: { path, reconnectStrategy: 20 } });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function answers(path: string): Promise<void> {
  const client = await connectRedis(path);
  const isReady = () =>
    client.ping().then(
      () => true,
      () => false,
    );
  // It refuses all commands while it loads its data.
  while (!(await isReady())) await setTimeout(10);
  client.destroy();
}
