// Serves everything over HTTP until it gets a signal: `everything-server.js --port 3000`; or on stdin and
// stdout until its input ends: `everything-server.js --stdio`.
import { parseArgs } from "node:util";
import { createStdioTransport } from "@idewire/node-server";
import { createMcpListener } from "@idewire/node-server/http";
import { createEverything } from "./create-everything.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, stdio: { type: "boolean", default: false } },
});
const server = await createEverything();
if (values.stdio)
  server.connect(createStdioTransport(process.stdin, process.stdout), { context: undefined });
else await listen(Number(values.port));

async function listen(port: number): Promise<void> {
  const listener = await createMcpListener({
    server,
    context: undefined,
    port,
    onerror: (error) => console.error(error),
  });
  console.log(`Listening at ${listener.url}`);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void listener.close());
  }
}
