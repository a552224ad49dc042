import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import type { EndpointSpec } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { type Environment, temporaryDirectory } from "../files/directories.ts";
import { makeOwnFolder } from "../files/own-folders.ts";
import { fileSystemError } from "../files/private-file.ts";

/** What every system can have as the path of a socket: 104 with its end on macOS. */
const MAX_PATH_BYTES = 103;

/**
 * The path of the socket of an endpoint, in a folder that this user alone can write: one that nobody has used,
 * unless the agents expect another.
 * @throws IdewireError `file-system` for a folder that is a link, another user's or open to others' writing, and for
 * a path that is too long
 */
export async function socketPlace(spec: EndpointSpec, env: Environment): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const unique = randomBytes(8).toString("hex");
  const [folder, name] = spec.socket?.(uid) ?? [`idewire-${uid}`, `${unique}.sock`];
  if (process.platform === "win32") {
    return `\\\\.\\pipe\\${spec.socket === undefined ? `idewire-${unique}` : folder}`;
  }
  const directory = join(temporaryDirectory(env), folder);
  await makeOwnFolder(directory);
  const path = join(directory, name);
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_PATH_BYTES) return path;
  throw new IdewireError(
    "file-system",
    `${path} has ${bytes} bytes, and the path of a socket at most ${MAX_PATH_BYTES}: choose a shorter TMPDIR`,
  );
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
