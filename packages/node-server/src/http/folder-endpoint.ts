import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { IdewireError, isObject, type McpServer } from "@idewire/core";
import { type Environment, stateDirectory } from "../directories.ts";
import { isAlive, portAnswers } from "../liveness.ts";
import { writePrivateFile } from "../private-file.ts";
import { readSmallFile } from "../small-file.ts";
import { listenMcp, type McpListener } from "./listen-mcp.ts";

/** Where the tools of a folder are to be had; kept in a file that only its user may read. */
export interface FolderEndpoint {
  /** The folder's real path. */
  readonly folder: string;
  readonly url: string;
  readonly token: string;
  /** Who serves it now; absent when nobody does. */
  readonly pid?: number;
}

/** How a folder's tools are offered. */
export interface OpenFolderEndpointOptions<Context> {
  readonly server: McpServer<Context>;
  readonly context: Context;
  /** The folder's real path. */
  readonly folder: string;
  readonly env?: Environment;
}

/** A folder's tools on offer. Whoever opened them closes them. */
export interface OpenFolderEndpoint {
  readonly endpoint: FolderEndpoint;
  close(): Promise<void>;
}

/** Bytes of a token. */
const TOKEN_BYTES = 64;

/**
 * Offers MCP tools for a folder over Streamable HTTP, and records where. Port and token stay the
 * same from run to run where the port is free, so that an agent is told of them once.
 * @throws IdewireError `folder-in-use` when another process offers them, `file-system` when the
 * record cannot be written
 */
export async function openFolderEndpoint<Context>(
  options: OpenFolderEndpointOptions<Context>,
): Promise<OpenFolderEndpoint> {
  const { server, context, folder, env = process.env } = options;
  const before = await readFolderEndpoint(folder, env);
  const token = before?.token ?? randomBytes(TOKEN_BYTES).toString("base64url");
  const port = before && Number(new URL(before.url).port);
  const { pid = process.pid } = before ?? {};
  if (port !== undefined && pid !== process.pid && isAlive(pid) && (await portAnswers(port))) {
    throw new IdewireError(
      "folder-in-use",
      `The tools of ${folder} are offered already, by process ${pid} on port ${port}; stop that one first`,
    );
  }
  const listener = await listenMcp({ server, context, token, ...(port !== undefined && { port }) });
  const endpoint: FolderEndpoint = { folder, url: listener.url, token, pid: process.pid };
  try {
    await write(endpoint, env);
  } catch (error) {
    await listener.close();
    throw error;
  }
  return { endpoint, close: () => close(listener, endpoint, env) };
}

async function close(
  listener: McpListener,
  { pid: _, ...left }: FolderEndpoint,
  env: Environment,
): Promise<void> {
  await listener.close();
  // Another process may have come after ours.
  const now = await readFolderEndpoint(left.folder, env);
  if (now?.pid === process.pid) await write(left, env);
}

/** Reads where the tools of a folder are, or were; undefined when they never were on offer. */
export async function readFolderEndpoint(
  folder: string,
  env: Environment = process.env,
): Promise<FolderEndpoint | undefined> {
  try {
    const value: unknown = JSON.parse(await readSmallFile(recordOf(folder, env)));
    return isEndpoint(value) && value.folder === folder ? value : undefined;
  } catch {
    // There is none, or a damaged one: there is nothing to come back to.
    return undefined;
  }
}

function write(endpoint: FolderEndpoint, env: Environment): Promise<void> {
  return writePrivateFile(recordOf(endpoint.folder, env), JSON.stringify(endpoint));
}

function recordOf(folder: string, env: Environment): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return join(stateDirectory(env), "tools", `${name}.json`);
}

function isEndpoint(value: unknown): value is FolderEndpoint {
  return (
    isObject(value) &&
    typeof value["folder"] === "string" &&
    typeof value["url"] === "string" &&
    /^http:\/\/127\.0\.0\.1:\d+\/mcp$/.test(value["url"]) &&
    typeof value["token"] === "string" &&
    (value["pid"] === undefined || typeof value["pid"] === "number")
  );
}
