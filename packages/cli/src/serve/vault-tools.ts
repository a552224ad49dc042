import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import { type FolderEndpoint, isRunning, readFolderEndpoint } from "@idewire/node-server/internal";
import { workingFolder } from "../flags/agent-flags.ts";
import { relay } from "../mcp/relay.ts";
import { openStdio } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";

/** Serves MCP on stdin and stdout for the vault around a folder; resolves to the exit code. */
export function offerVaultTools(cwd: string | undefined, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const endpoint = await findVault(workingFolder(io, cwd), io);
    const client = openStdio(io);
    const headers = { authorization: `Bearer ${endpoint.token}` };
    const vault = relay(client, () => createHttpTransport(endpoint.url, { headers }), unreached);
    client.onclose = () => stop.request(ExitCode.Ok);
    const code = await stop.requested;
    await vault.close();
    client.close();
    return code;
  });
}

const unreached = (error: Error) => `The vault could not be reached: ${error.message}`;

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
