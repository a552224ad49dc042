// Serves everything over HTTP until it gets a signal: `everything-server.js --port 3000`; or on stdin and
// stdout until its input ends: `everything-server.js --stdio`. With `--redis` and the path of a socket it is
// one of several instances, and with a key in hexadecimal digits.
import { parseArgs } from "node:util";
import { listenMcp } from "@idewire/node-server";
import { redisStore } from "@idewire/node-server/redis";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { createClient } from "redis";
import { createEverything, type Shared } from "./create-everything.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    stdio: { type: "boolean", default: false },
    redis: { type: "string" },
    key: { type: "string", default: "" },
  },
});
const onerror = (error: Error) => console.error(error);
const shared = values.redis === undefined ? {} : await share(values.redis, values.key);
const server = await createEverything(shared);
if (values.stdio) server.connect(createStdioTransport(process.stdin, process.stdout));
else await listen(Number(values.port));

async function listen(port: number): Promise<void> {
  const listener = await listenMcp(server, { access: "anyone", port, onerror });
  console.log(`Listening at ${listener.url}`);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    // Open connections to Redis would keep the process alive.
    process.once(signal, () => void listener.close().finally(() => process.exit()));
  }
}

async function share(path: string, key: string): Promise<Partial<Shared>> {
  const client = createClient({ socket: { path, reconnectStrategy: 100 } });
  client.on("error", onerror);
  await client.connect();
  return { store: redisStore({ client, onerror }), key: Buffer.from(key, "hex") };
}
