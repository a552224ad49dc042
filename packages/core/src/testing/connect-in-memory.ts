import { McpClient } from "../mcp/client/client.ts";
import type { McpClientOptions } from "../mcp/client/client-options.ts";
import type { McpServer } from "../mcp/server/server.ts";
import { createMemoryTransportPair } from "../rpc/memory-transport.ts";

/** Who the client of a test is, and what it supports. */
export interface ConnectInMemoryOptions<Context>
  extends Pick<McpClientOptions, "era" | "features"> {
  /** The context of the server's handlers. */
  readonly context: Context;
  /** The authenticated client, for the server. */
  readonly principal?: string;
  /** The scopes of its authorization, for tools that need some. */
  readonly scopes?: readonly string[];
}

/**
 * Connects a client to a server in the same process, for tests. Closing the client ends the connection.
 *
 * @example
 * const client = await connectInMemory(server, { era: "modern" });
 * expect(await client.callTool("forecast", { city: "Oslo" })).toMatchObject({ structuredContent: { celsius: 20 } });
 */
export async function connectInMemory<Context>(
  server: McpServer<Context>,
  options: ConnectInMemoryOptions<Context>,
): Promise<McpClient>;
export async function connectInMemory<Context>(
  server: undefined extends Context ? McpServer<Context> : never,
  options?: Partial<ConnectInMemoryOptions<Context>>,
): Promise<McpClient>;
export async function connectInMemory<Context>(
  server: McpServer<Context>,
  options: Partial<ConnectInMemoryOptions<Context>> = {},
): Promise<McpClient> {
  const { context, principal, scopes, ...more } = options;
  const [near, far] = createMemoryTransportPair();
  server.connect(far, {
    ...{ context: context as Context, principal, scopes },
  });
  const client = await McpClient.connect(near, { name: "test", version: "1.0.0", ...more });
  // The server handles messages in order: now it has received `notifications/initialized`.
  await client.ping();
  return client;
}
