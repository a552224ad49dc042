import type { ListenTopics } from "@idewire/core/internal";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { ConnectedContext } from "./open-client.ts";
import type { McpRun } from "./run-mcp-call.ts";
import { untilStopped } from "./until-stopped.ts";

const everyList: ListenTopics = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
};

function resourcesOf({ resources }: McpRun): ListenTopics {
  return resources.length === 0 ? {} : { resourceSubscriptions: resources };
}

/**
 * Subscribes to the resources, then prints that it listens; ends with a signal or when stdout closes.
 * @param onlistening called after that line
 */
export async function listen(context: ConnectedContext, onlistening: () => void): Promise<number> {
  const { client, run, printer, stop } = context;
  await untilStopped(subscribe(context), stop.signal);
  const { name, version } = client.server.serverInfo;
  if (run.isJson) printer.json({ event: "connected", ...client.server });
  else printer.print(line`Listening to ${name} ${version}.`);
  onlistening();
  void client.closed.then(() => stop.request(ExitCode.Failed));
  return stop.requested;
}

async function subscribe({ client, run }: ConnectedContext): Promise<void> {
  // The notification itself names the changed resource.
  if (client.era === "modern") await client.listen({ ...everyList, ...resourcesOf(run) });
  else for (const uri of run.resources) await client.subscribeResource(uri, () => {});
}
