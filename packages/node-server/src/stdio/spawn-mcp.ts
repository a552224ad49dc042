import type { McpClient, McpClientOptions } from "@idewire/core/client";
import { requireText } from "@idewire/core/internal/base";
import { IdewireError } from "@idewire/core/rpc";
import { openProgram, type SpawnStdioOptions } from "./spawn-stdio-transport.ts";

/** A program that is an MCP server on stdio. */
export interface McpProgram extends SpawnStdioOptions {
  readonly command: string;
  readonly args?: readonly string[];
}

/**
 * Starts an MCP server and connects to it over its stdin and stdout. Closing the client ends the program. A
 * program that exits when it is asked for the modern era is started again, without that question; with the option
 * `reopen`, one that exits later is restarted, too.
 * @throws IdewireError `unreachable` when it cannot be started; what `McpClient.connect` throws
 */
export async function spawnMcp(
  { command, args, ...program }: McpProgram,
  options: McpClientOptions,
): Promise<McpClient> {
  requireText("spawnMcp, command", command);
  // Loaded only here: servers on stdio import this module, too, and have no client.
  const client = await import("@idewire/core/client");
  try {
    return await client.McpClient.connect(() => openProgram(command, args, program), {
      reopen: false,
      ...options,
    });
  } catch (error) {
    if (!(error instanceof IdewireError) || error.code !== "closed") throw error;
    throw new IdewireError("closed", describeEnd(command, error.message), { cause: error });
  }
}

/**
 * Why a program that has ended did not answer: with its name, and how it ended in place of a close code.
 * @param message of the error of its client
 */
export function describeEnd(command: string, message: string): string {
  const words = message.replace(/^The connection closed with \d+ /, "");
  if (words.includes(" cannot be started (ENOENT)")) return words;
  return `${JSON.stringify(command)} exited before it answered: ${words}`;
}
