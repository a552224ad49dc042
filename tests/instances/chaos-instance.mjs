// One instance that a test kills: `node chaos-instance.mjs SOCKET FILE [IDLE_MS]` notes each run of a handler in
// a file.
import { appendFileSync } from "node:fs";
import {
  becomeTask,
  defineTool,
  elicit,
  McpServer,
  modernEra,
  sealedRequestState,
  Tasks,
  textResult,
  valibotInput,
} from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { redisStore } from "@idewire/node-server/redis";
import { createClient } from "redis";
import * as v from "valibot";

const [path, runs, sessionIdleMs = 3_600_000] = process.argv.slice(2);
const client = createClient({ socket: { path, reconnectStrategy: 20 } });
client.on("error", () => undefined);
await client.connect();
const store = redisStore({ client });
const form = valibotInput(v.object({ name: v.string() }));
const input = valibotInput(v.object({}));
const forever = () => new Promise(() => undefined);

const steps = {
  call: forever,
  question: (call) => elicit(call, { message: "Who?", form }),
  async task(call) {
    await becomeTask(call, { required: true });
    await forever();
  },
};
const tools = Object.entries(steps).map(([name, step]) =>
  defineTool({
    name,
    input,
    async run(_, __, call) {
      appendFileSync(runs, `${name}\n`);
      call.progress({ progress: 1 });
      return textResult(JSON.stringify(await step(call)));
    },
  }),
);
tools.push(defineTool({ name: "echo", input, run: () => textResult("here") }));
const server = new McpServer({
  info: { name: "s", version: "1" },
  eras: { modern: modernEra({ requestState: sealedRequestState({ keys: [new Uint8Array(32)] }) }) },
  store,
  features: [new Tasks({ store })],
  tools,
});
const limits = { sessionIdleMs: Number(sessionIdleMs) };
console.log((await listenMcp(server, { access: "anyone", limits })).url);
