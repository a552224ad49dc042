// An instance that a test kills: `node chaos-instance.mjs SOCKET FILE [IDLE_MS]` records each run of a handler in
// a file.
import { appendFileSync } from "node:fs";
import { becomeTask, McpServer, tasks } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { redisStore } from "@idewire/node-server/redis";
import { createClient } from "redis";
import * as v from "valibot";

const [path, runs, sessionIdleMs = 3_600_000] = process.argv.slice(2);
const client = createClient({ socket: { path, reconnectStrategy: 20 } });
client.on("error", () => undefined);
await client.connect();
const store = redisStore({ client });
const form = v.object({ name: v.string() });
const forever = () => new Promise(() => undefined);

const steps = {
  call: forever,
  question: (call) => call.ask("Who?", form),
  async task(call) {
    await becomeTask(call, { required: true });
    await forever();
  },
};
const server = new McpServer({
  ...{ name: "s", version: "1", stateKeys: [new Uint8Array(32)], store },
  features: [tasks()],
});
for (const [name, step] of Object.entries(steps)) {
  server.tool(name, {}, async (_, call) => {
    appendFileSync(runs, `${name}\n`);
    call.progress({ progress: 1 });
    return JSON.stringify(await step(call));
  });
}
server.tool("echo", {}, () => "here");
const limits = { sessionIdleMs: Number(sessionIdleMs) };
console.log((await listenMcp(server, { access: "anyone", limits })).url);
