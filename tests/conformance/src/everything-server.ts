// Serves everything over HTTP until it gets a signal: `everything-server.js --port 3000`.
import { parseArgs } from "node:util";
import { createMcpListener } from "@idewire/node-server/http";
import { createEverything } from "./create-everything.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "0" } } });
const listener = await createMcpListener({
  server: createEverything(),
  context: undefined,
  port: Number(values.port),
  onerror: (error) => console.error(error),
});
console.log(`Listening at ${listener.url}`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void listener.close());
}
