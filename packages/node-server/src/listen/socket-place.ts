import { randomBytes } from "node:crypto";
import { chmod, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { type Environment, temporaryDirectory } from "../files/directories.ts";
import { makeOwnFolder } from "../files/own-folders.ts";
import { fileSystemError } from "../files/private-file.ts";
import { placeAnswers } from "../process/liveness.ts";

/** What every system can have as the path of a socket: 104 with its end on macOS. */
const MAX_PATH_BYTES = 103;

/**
 * The path of a socket in a folder that this user alone can write: one that nobody has used, unless the agents know
 * another.
 * @param known its folder among the temporary files, and its name there
 * @throws IdewireError `file-system` for a folder that is a link, another user's or open to others' writing, and for
 * a path that is too long
 */
export async function socketPlace(
  env: Environment,
  known?: readonly [folder: string, name: string],
): Promise<string> {
  const unique = randomBytes(8).toString("hex");
  const [folder, name] = known ?? [ownFolder(), `${unique}.sock`];
  if (process.platform === "win32") {
    return `\\\\.\\pipe\\${known === undefined ? `idewire-${unique}` : folder}`;
  }
  // Agents that do not run in Node look at this variable alone.
  const { TMPDIR } = env;
  const directory = join(temporaryDirectory(known === undefined ? env : { TMPDIR }), folder);
  await makeOwnFolder(directory);
  const path = join(directory, name);
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_PATH_BYTES) return path;
  throw new IdewireError(
    "file-system",
    `${path} has ${bytes} bytes, and the path of a socket at most ${MAX_PATH_BYTES}: choose a shorter TMPDIR`,
  );
}

/** Removes a socket of ours at which nobody listens any more, since a run was killed. */
export async function removeDeadSocket(path: string): Promise<void> {
  const isOurs = basename(dirname(path)) === ownFolder() && path.endsWith(".sock");
  if (process.platform === "win32" || !isOurs || (await placeAnswers({ socketPath: path }))) return;
  await rm(path, { force: true }).catch(() => {});
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
