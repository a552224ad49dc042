// One of several processes with a shared credential store: calls a tool for each message of its parent.
import { McpClient } from "@idewire/core/client";
import { createHttpTransport } from "@idewire/http";
import { createDpop, createOAuth } from "@idewire/http/oauth";
import { createCredentialFiles } from "@idewire/node-server/oauth";

const [url = "", directory = "", tool = ""] = process.argv.slice(2);
const store = createCredentialFiles({ directory });
// Without a person: a process that loses the tokens fails.
const authorization = createOAuth({ url, store, dpop: createDpop() });
const open = () => createHttpTransport(url, { authorization, listen: false });
const client = await McpClient.connect(open, { name: "worker", version: "1", era: "legacy" });

process.on("message", () => {
  client.callTool(tool).then(
    ({ isError }) => process.send?.(isError === true ? "failed" : "done"),
    (error: Error) => process.send?.(`${error.name}: ${error.message}`),
  );
});
process.send?.("ready");
