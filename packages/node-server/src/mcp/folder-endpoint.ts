import { createHash } from "node:crypto";
import { utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { createToken, isObject, parseJson } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import { type Environment, stateDirectory } from "../files/directories.ts";
import {
  isOfLastDay,
  readPrivateFile,
  sweepDrafts,
  writePrivateFile,
} from "../files/private-file.ts";
import { isRecordedToken } from "../loopback-server/token.ts";
import { isRunning, ownIdentity, type ProcessIdentity, portAnswers } from "../process/liveness.ts";
import { listenMcp, type McpListener } from "./listen-mcp.ts";

/** The endpoint of a folder's tools; stored in a file that only its user may read. */
export interface FolderEndpoint extends Partial<ProcessIdentity> {
  /** The folder's real path. */
  readonly folder: string;
  readonly url: string;
  readonly token: string;
}

const REFRESH_MS = 3_600_000;

type EndpointKind = "tools" | "bridge" | "comments";

/** The options of a folder's endpoint. */
export interface OpenFolderEndpointOptions<Context> {
  readonly server: McpServer<Context>;
  readonly context: Context;
  /** The folder's real path. */
  readonly folder: string;
  readonly env?: Environment;
  /** `tools` of a vault (the default), a `bridge` to an editor, or `comments`: each has an endpoint of its own. */
  readonly kind?: EndpointKind;
  /** The port of the last run, or any free one, by default. */
  readonly port?: number | undefined;
  /** In milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
}

/** The published MCP endpoint of a folder. The caller closes it. */
export interface OpenFolderEndpoint {
  readonly endpoint: FolderEndpoint;
  /** The file that holds the endpoint and its token. */
  readonly record: string;
  /**
   * Whether another program has taken the port of the last run: agents that were configured with it need the new
   * one.
   */
  readonly moved: boolean;
  readonly close: () => Promise<void>;
}

/**
 * Serves MCP tools for a folder over Streamable HTTP, and records the endpoint. Port and token stay the same from
 * run to run if the port is free, so that an agent is configured once. If it is not, both are new: agents send the
 * old token to any program that has the old port. After a day without a run, the token is new.
 * @throws IdewireError `folder-in-use` when another process serves them, `file-system` when the record cannot be
 * written, `port-in-use` when the requested port is not available
 */
export async function openFolderEndpoint<Context>(
  options: OpenFolderEndpointOptions<Context>,
): Promise<OpenFolderEndpoint> {
  const { folder, env = process.env, kind = "tools", now = Date.now } = options;
  const record = recordOf(folder, env, kind);
  await sweepDrafts(dirname(record));
  const before = await readRecord(record, folder);
  if (before !== undefined) await refuseIfOffered(before);
  const isRecent = before !== undefined && (await isOfLastDay(record, now()));
  const left = before && { ...before, token: isRecent ? before.token : createToken() };
  const { listener, token, moved } = await listen(options, left);
  const endpoint: FolderEndpoint = { folder, url: listener.url, token, ...ownIdentity() };
  try {
    await write(endpoint, record);
  } catch (error) {
    await listener.close();
    throw error;
  }
  const timer = setInterval(() => void refresh(record, now()).catch(() => {}), REFRESH_MS);
  timer.unref();
  return {
    ...{ endpoint, record, moved },
    close() {
      clearInterval(timer);
      return close(listener, endpoint, record);
    },
  };
}

/** Prevents a record from expiring while it is in use, even if the process is then killed. */
function refresh(record: string, nowMs: number): Promise<void> {
  return utimes(record, nowMs / 1_000, nowMs / 1_000);
}

async function refuseIfOffered(before: FolderEndpoint): Promise<void> {
  const { folder, pid } = before;
  const port = portOf(before);
  if (pid === process.pid || !isRunning(before) || !(await portAnswers(port))) return;
  throw new IdewireError(
    "folder-in-use",
    `The tools of ${folder} are offered already, by process ${pid} on port ${port}; stop that one first`,
  );
}

async function listen<Context>(
  { server, context, port }: OpenFolderEndpointOptions<Context>,
  before: FolderEndpoint | undefined,
): Promise<{ readonly listener: McpListener; readonly token: string; readonly moved: boolean }> {
  const open = (token: string, at: number | undefined) =>
    listenMcp<Context>(server, {
      ...{ context, token },
      ...(at !== undefined && { port: at }),
    });
  if (before !== undefined && (port ?? portOf(before)) === portOf(before)) {
    const { token } = before;
    try {
      const listener = await open(token, portOf(before));
      return { listener, token, moved: false };
    } catch (error) {
      const isMovable = port === undefined && error instanceof IdewireError;
      if (!isMovable || error.code !== "port-in-use") throw error;
    }
  }
  const token = createToken();
  const listener = await open(token, port);
  return { listener, token, moved: before !== undefined && port === undefined };
}

function portOf({ url }: FolderEndpoint): number {
  return Number(new URL(url).port);
}

async function close(
  listener: McpListener,
  { folder, url, token }: FolderEndpoint,
  record: string,
): Promise<void> {
  await listener.close();
  // Another process may have replaced it.
  const now = await readRecord(record, folder);
  if (now?.pid === process.pid) await write({ folder, url, token }, record);
}

/** Reads the recorded endpoint of a folder's tools; undefined if they were never served. */
export function readFolderEndpoint(
  folder: string,
  env: Environment = process.env,
): Promise<FolderEndpoint | undefined> {
  return readRecord(recordOf(folder, env, "tools"), folder);
}

async function readRecord(record: string, folder: string): Promise<FolderEndpoint | undefined> {
  try {
    const value: unknown = parseJson(await readPrivateFile(record));
    return isEndpoint(value) && value.folder === folder ? value : undefined;
  } catch {
    // Without a record, or with a damaged one, there is no earlier endpoint.
    return undefined;
  }
}

function write(endpoint: FolderEndpoint, record: string): Promise<void> {
  return writePrivateFile(record, JSON.stringify(endpoint));
}

function recordOf(folder: string, env: Environment, kind: EndpointKind): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return join(stateDirectory(env), kind, `${name}.json`);
}

function isEndpoint(value: unknown): value is FolderEndpoint {
  return (
    isObject(value) &&
    typeof value["folder"] === "string" &&
    typeof value["url"] === "string" &&
    /^http:\/\/127\.0\.0\.1:\d+\/mcp$/.test(value["url"]) &&
    isRecordedToken(value["token"]) &&
    ["number", "undefined"].includes(typeof value["pid"]) &&
    ["string", "undefined"].includes(typeof value["started"])
  );
}
