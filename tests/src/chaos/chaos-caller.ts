// A client in a separate process, which a test kills: `chaos-caller.mjs WAY TOOL KEY SERVER...` makes one call,
// and prints the id of its task on stdout. SERVER is a port, or the command of a server on stdio.
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import { connectInChaos, openHttp, type Way } from "./chaos-client.ts";

const [way = "", tool = "", key = "", ...server] = process.argv.slice(2);
const [command = "", ...args] = server;
const open = way.endsWith("stdio")
  ? () => spawnStdioTransport(command, args)
  : openHttp(way as Way, Number(command));
const client = await connectInChaos(way as Way, open, {
  ontask: (taskId) => console.log(`task ${taskId}`),
  // Questions are never answered.
  onquestion: () => {
    console.log("asked");
    return new Promise(() => {});
  },
});
await client.callTool(tool, { key, wait: true });
