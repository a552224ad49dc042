import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { EventLog, formatTrace, recordTransport } from "@idewire/devtools/trace";

/** The trace of a client that has listed the tools of a server. */
export async function recordTools(createServer: () => McpServer): Promise<string> {
  const server = createServer();
  const log = new EventLog();
  const [near, far] = createMemoryTransportPair();
  server.connect(far, { context: undefined });
  const recorded = recordTransport(near, { log, ch: "c1", sends: "agent>ide" });
  const client = await McpClient.connect(recorded, { name: "t", version: "1", era: "legacy" });
  await client.listTools();
  client.close();
  return formatTrace({ header: { ide: "a server" }, events: log.events });
}

function createWeather(town: object, more: readonly string[], description: string): McpServer {
  const server = new McpServer({ name: "weather", version: "1" });
  const input = { type: "object", properties: { town }, required: ["town"] } as const;
  server.tool("forecast", { input, description }, () => "Sun");
  for (const name of more) server.tool(name, {}, () => "done");
  return server;
}

/** Two versions of a server: the second has a narrower argument, another tool and a different description. */
export const weatherVersions: readonly (() => McpServer)[] = [
  () => createWeather({ type: "string" }, ["order"], "The weather"),
  () => createWeather({ enum: ["Oslo"] }, ["order", "cancel"], "The weather of a town"),
];
