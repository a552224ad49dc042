import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { sweepSockets } from "../files/dead-sockets.ts";
import { type Environment, temporaryDirectory } from "../files/directories.ts";
import { pathFault } from "../files/folder-socket.ts";
import { makeOwnFolder } from "../files/own-folders.ts";
import { fileSystemError } from "../files/private-file.ts";

/**
 * The path of a socket in a folder that this user alone can write: an unused one, unless the agents know
 * another.
 * @param known its folder among the temporary files, and its name there
 * @throws IdewireError `file-system` for a folder that is a link, another user's or open to others' writing, and for
 * a path that is too long
 */
export async function socketPlace(
  env: Environment,
  known?: readonly [folder: string, name: string],
): Promise<string> {
  const path = known === undefined ? unusedPath(env) : knownSocketPath(env, known);
  if (process.platform === "win32") return path;
  await makeOwnFolder(dirname(path));
  if (known === undefined) await sweepSockets(dirname(path));
  const fault = pathFault(path, "TMPDIR");
  if (fault === undefined) return path;
  throw new IdewireError("file-system", fault);
}

/** The well-known place where agents look for the socket, whether or not it exists. */
export function knownSocketPath(
  { TMPDIR }: Environment,
  [folder, name]: readonly [folder: string, name: string],
): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\${folder}`;
  // Agents that do not run in Node look at this variable alone.
  return join(temporaryDirectory({ TMPDIR }), folder, name);
}

function unusedPath(env: Environment): string {
  const unique = randomBytes(8).toString("hex");
  if (process.platform === "win32") return `\\\\.\\pipe\\idewire-${unique}`;
  return join(temporaryDirectory(env), ownFolder(), `${unique}.sock`);
}

function ownFolder(): string {
  return `idewire-${process.getuid?.() ?? 0}`;
}

/**
 * Makes a socket that listens the user's alone.
 * @throws IdewireError `file-system`
 */
export async function makePrivateSocket(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await chmod(path, 0o600).catch((error: unknown) => {
    throw fileSystemError("protect", path, error);
  });
}
