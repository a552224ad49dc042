import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient } from "redis";
import { findRedis } from "../../scripts/redis-server.mjs";
import { removeFolder } from "./remove-folder.ts";

/** A server of Redis that keeps its data in a folder of its own. The caller closes it. */
export interface RedisProcess {
  /** Its socket. */
  readonly path: string;
  /** Ends it as a crash would; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, with the data that it had. */
  start(): Promise<void>;
  /** Stops it from running, as a machine that hangs would, or lets it go on. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  close(): Promise<void>;
}

/** Starts the `redis-server` of this machine. */
export async function startRedis(): Promise<RedisProcess> {
  const command = findRedis();
  if (command === undefined) throw new Error("NOT TESTED, for want of redis-server");
  const folder = await mkdtemp(join(tmpdir(), "idewire-redis-"));
  const path = join(folder, "redis.sock");
  // No write is lost, as a store of sessions would be configured by who cannot lose any.
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

/** A client that has connected. The caller destroys it. */
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
  // It refuses all while it reads its data.
  while (!(await isReady())) await setTimeout(10);
  client.destroy();
}
