import { McpClient, type McpClientOptions } from "@idewire/core/client";
import { createHttpTransport } from "./http-transport.ts";
import type { HttpTransportOptions } from "./streamable-http.ts";

/** A client, and how its server is reached. */
export interface ConnectMcpOptions extends McpClientOptions, HttpTransportOptions {}

/**
 * Connects to an MCP server over HTTP. The client outlives its sessions: when the server ends one, the next
 * request begins another.
 * @throws what `createHttpTransport` and `McpClient.connect` throw
 */
export function connectMcp(url: string | URL, options: ConnectMcpOptions): Promise<McpClient> {
  const { fetch, headers, authorization, maxFrameBytes, clock, listen, ...client } = options;
  const { onerror } = client;
  const transport = {
    ...(fetch !== undefined && { fetch }),
    ...(headers !== undefined && { headers }),
    ...(authorization !== undefined && { authorization }),
    ...(maxFrameBytes !== undefined && { maxFrameBytes }),
    ...(clock !== undefined && { clock }),
    ...(listen !== undefined && { listen }),
    ...(onerror !== undefined && { onerror }),
  };
  return McpClient.connect(() => createHttpTransport(url, transport), client);
}
