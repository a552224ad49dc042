import { McpClient } from "../mcp/client/client.ts";
import type { McpClientOptions } from "../mcp/client/client-options.ts";
import type { McpServer } from "../mcp/server/server.ts";
import type { ServerConnection } from "../mcp/server/server-connection.ts";
import { createMemoryTransportPair } from "../rpc/memory-transport.ts";
import { type FrameRecorder, recordFrames } from "./record-frames.ts";

/** The two ends of one MCP connection in memory. */
export interface JoinedInMemory<Context> {
  readonly client: McpClient;
  readonly connection: ServerConnection<Context>;
  /** The frames, seen from the client. */
  readonly recorder: FrameRecorder;
}

/** Connects a client to a server; resolves once both are initialized. */
export async function joinInMemory<Context>(
  server: McpServer<Context>,
  context: Context,
  options: Partial<McpClientOptions> = {},
): Promise<JoinedInMemory<Context>> {
  const [left, right] = createMemoryTransportPair();
  const connection = server.connect(right, { context });
  const recorder = recordFrames(left);
  const client = await McpClient.connect(recorder, {
    name: "client",
    version: "1",
    era: "legacy",
    ...options,
  });
  await client.ping();
  return { client, connection, recorder };
}
