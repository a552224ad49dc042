import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { IdewireError, type Transport } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import { type FolderEndpoint, isRunning, readFolderEndpoint } from "@idewire/node-server/internal";
import { workingFolder } from "../flags/agent-flags.ts";
import { pausedFetch } from "../mcp/paused-fetch.ts";
import { serveRelay } from "../mcp/serve-relay.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";

/** Serves MCP on stdin and stdout for the vault around a folder; resolves to the exit code. */
export function offerVaultTools(cwd: string | undefined, io: CliIo): Promise<number> {
  const open = (isFull: () => boolean) => vaultOpener(workingFolder(io, cwd), io, isFull);
  return runUntilStopped(io, (stop) => serveRelay({ io, stop }, { open, explain: unreached }));
}

const unreached = (error: Error) => `The vault could not be reached: ${error.message}`;

/**
 * How the vault that contains a folder is connected to.
 * @param isFull whether reading its messages is to pause
 * @throws IdewireError `no-editor` if no vault offers tools
 */
export async function vaultOpener(
  cwd: string,
  io: CliIo,
  isFull?: () => boolean,
): Promise<() => Transport> {
  const { url, token } = await findVault(cwd, io);
  const headers = { authorization: `Bearer ${token}` };
  return () => createHttpTransport(url, { headers, fetch: pausedFetch(fetch, isFull) });
}

/**
 * The endpoint of the vault that contains a folder, the nearest one first.
 * @throws IdewireError `no-editor` if no vault offers tools
 */
export async function findVault(cwd: string, { env }: CliIo): Promise<FolderEndpoint> {
  const start = await realpath(cwd).catch(() => cwd);
  let gone: FolderEndpoint | undefined;
  for (const folder of withParents(start)) {
    const endpoint = await readFolderEndpoint(folder, env);
    if (endpoint !== undefined && isRunning(endpoint)) return endpoint;
    gone ??= endpoint;
  }
  throw new IdewireError("no-editor", explain(start, gone));
}

/** A folder and those around it, the nearest first. */
function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

function explain(cwd: string, gone: FolderEndpoint | undefined): string {
  if (gone !== undefined) {
    return `The vault ${gone.folder} is not open: start Obsidian, or turn on its vault tools`;
  }
  const wanted = "in the plugin's settings, turn on Offer vault tools to agents";
  return `No vault around ${cwd} offers tools: ${wanted}`;
}
