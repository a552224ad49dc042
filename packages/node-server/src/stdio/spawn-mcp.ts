import type { McpClient, McpClientOptions } from "@idewire/core/client";
import { requireText } from "@idewire/core/internal/base";
import { openProgram, type SpawnStdioOptions } from "./spawn-stdio-transport.ts";

/** A program that is an MCP server on stdio. */
export interface McpProgram extends SpawnStdioOptions {
  readonly command: string;
  readonly args?: readonly string[];
}

/**
 * Starts an MCP server and connects to it over its stdin and stdout. Closing the client ends the program. One that
 * ends when it is asked for the modern era is started again, and not asked; with the option `reopen`, so is one
 * that ends later.
 * @throws IdewireError `unreachable` when it cannot be started; what `McpClient.connect` throws
 */
export async function spawnMcp(
  { command, args, ...program }: McpProgram,
  options: McpClientOptions,
): Promise<McpClient> {
  requireText("spawnMcp, command", command);
  // Servers on stdio, which import this module too, have no client.
  const client = await import("@idewire/core/client");
  return client.McpClient.connect(() => openProgram(command, args, program), {
    reopen: false,
    ...options,
  });
}
