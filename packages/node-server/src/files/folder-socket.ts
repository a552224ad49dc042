import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Environment, homeDirectory, stateDirectory } from "./directories.ts";

/** The longest frame there, enough for a diff: two texts of some 10 MB, escaped. */
export const MAX_CONTROL_BYTES: number = 64 * 1024 * 1024;

/** The limit of macOS for the path of a socket, without the NUL; Linux allows 4 bytes more. */
const MAX_SOCKET_PATH = 103;

/**
 * The address of the process that serves a folder, for other processes of the user: a socket in the state directory,
 * on Windows a named pipe. The name discloses neither folder nor user.
 * @param folder a real native path
 */
export function controlPath(env: Environment, folder: string): string {
  const isWindows = process.platform === "win32";
  const owner = isWindows ? `${homeDirectory(env)}\0` : "";
  const name = createHash("sha256").update(`${owner}${folder}`).digest("hex").slice(0, 20);
  return isWindows ? `\\\\.\\pipe\\idewire-${name}` : join(stateDirectory(env), `${name}.sock`);
}

/**
 * Why a path is too long for a socket, with the remedy; undefined if it is not.
 * @param movedBy the environment variable for its folder
 */
export function pathFault(path: string, movedBy = "XDG_STATE_HOME"): string | undefined {
  const bytes = Buffer.byteLength(path);
  if (process.platform === "win32" || bytes <= MAX_SOCKET_PATH) return undefined;
  return `${path} has ${bytes} bytes, more than the ${MAX_SOCKET_PATH} of a socket's path: choose a shorter ${movedBy}`;
}
