// The server of the chaos tests in a separate process, which a test kills: `chaos-program.mjs FILE [PORT]`
// records its process id and the calls run in a file, and serves stdin and stdout, or a port.
import { appendFileSync } from "node:fs";
import { listenMcp } from "@idewire/node-server";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { createChaosServer } from "./chaos-server.ts";

const [file = "", port] = process.argv.slice(2);
appendFileSync(file, `pid ${process.pid}\n`);
const server = createChaosServer((key) => appendFileSync(file, `${key}\n`));
if (port === undefined) {
  const transport = createStdioTransport(process.stdin, process.stdout);
  const { peer } = server.connect(transport, { context: undefined });
  await peer.closed;
  process.exit(0);
}
const options = { access: "anyone", port: Number(port), ssePath: "/sse" } as const;
const listener = await listenMcp(server, options);
console.log(listener.port);
