import { becomeTask, McpServer, tasks } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { type RedisClient, redisStore } from "@idewire/node-server/redis";
import * as v from "valibot";
import { onTestFinished } from "vitest";
import type { Send } from "../src/http-client.ts";
import { connectRedis } from "../src/redis-server.ts";

const key = crypto.getRandomValues(new Uint8Array(32));
const form = v.object({ name: v.string() });
const input = v.object({ key: v.string() });

/** The handlers' runs in all instances; the test decides when they end. */
export class Runs {
  /** The keys of the calls, each as often as its handler ran. */
  readonly begun: string[] = [];
  readonly #waiting = new Map<string, () => void>();

  async wait(key: string): Promise<void> {
    this.begun.push(key);
    await new Promise<void>((resolve) => this.#waiting.set(key, resolve));
  }

  finish(key: string): void {
    this.#waiting.get(key)?.();
  }
}

/** One instance, in this process. */
export interface Instance {
  readonly send: Send;
  readonly server: McpServer;
  /** The commands sent to Redis. */
  readonly commands: string[];
}

/** Opens an instance of a server whose calls end when the test says; closed when the test ends. */
export async function openInstance(path: string, runs: Runs): Promise<Instance> {
  const connected = await connectRedis(path);
  const commands: string[] = [];
  const client: RedisClient = {
    get isReady() {
      return connected.isReady;
    },
    sendCommand(command) {
      commands.push(command.join(" "));
      return connected.sendCommand(command);
    },
    duplicate: () => connected.duplicate(),
  };
  const store = redisStore({ client, timeoutMs: 500 });
  const server = new McpServer({
    ...{ name: "s", version: "1", stateKeys: [key], store },
    features: [tasks()],
  });
  server.resource("test://a", { name: "a" }, () => "a");
  addTools(server, runs);
  const listener = await listenMcp(server, { access: "anyone" });
  onTestFinished(async () => {
    await listener.close();
    store.close();
    connected.destroy();
  });
  return { send: (init) => fetch(listener.url, init), server, commands };
}

function addTools(server: McpServer, runs: Runs): void {
  server.tool("echo", { input }, ({ key }) => {
    runs.begun.push(key);
    return key;
  });
  server.tool("wait", { input }, async ({ key }, call) => {
    call.progress({ progress: 1 });
    await runs.wait(key);
    return key;
  });
  server.tool("ask", { input }, async ({ key }, call) => {
    runs.begun.push(key);
    call.progress({ progress: 1 });
    return JSON.stringify(await call.ask("Who?", form));
  });
  server.tool("task", { input }, async ({ key }, call) => {
    await becomeTask(call, { required: true });
    await runs.wait(key);
    return key;
  });
}
