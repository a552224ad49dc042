import { becomeTask, McpServer, tasks } from "@idewire/core/server";

/** The resource that the server reports as changed. */
export const WATCHED = "chaos://watched";

const input = {
  type: "object",
  properties: {
    key: { type: "string", description: "Identifies the call whose runs are counted" },
    wait: { type: "boolean", description: "Whether it ends only when `release` is called" },
  },
  required: ["key"],
} as const;
const form = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
} as const;

/**
 * A server whose tools report each run: `call` answers at once, `question` asks first, `task` becomes a task
 * first. None of them may be repeated automatically.
 * @param onrun called with the key of a call after its effect
 */
export function createChaosServer(onrun: (key: string) => void): McpServer<undefined> {
  const waiting = new Map<string, () => void>();
  const released = (key: string) => new Promise<void>((resolve) => waiting.set(key, resolve));
  const server = new McpServer<undefined>({
    ...{ name: "chaos", version: "1", stateKeys: [new Uint8Array(32)] },
    features: [tasks()],
  });
  server.resource(WATCHED, { name: "watched" }, () => "as it is");
  server.tool("call", { input }, async ({ key, wait }, call) => {
    onrun(key);
    call.progress({ progress: 1 });
    if (wait === true) await released(key);
    return key;
  });
  server.tool("question", { input }, async ({ key, wait }, call) => {
    const answer = await call.ask("Who?", form);
    onrun(key);
    call.progress({ progress: 1 });
    if (wait === true) await released(key);
    return JSON.stringify(answer);
  });
  server.tool("task", { input }, async ({ key, wait }, call) => {
    await becomeTask(call, { required: true, pollIntervalMs: 50 });
    onrun(key);
    if (wait === true) await released(key);
    return key;
  });
  server.tool("release", { input }, ({ key }) => {
    waiting.get(key)?.();
    return key;
  });
  return server;
}
