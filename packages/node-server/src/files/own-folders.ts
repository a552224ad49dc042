import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DiscoveryFolder } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { codeOf } from "../process/error-code.ts";
import { discoveryDirectory, type Environment, temporaryDirectory } from "./directories.ts";
import { fileSystemError } from "./private-file.ts";

/** The write permission bits of others. */
const WRITABLE = 0o022;

/**
 * The directory to publish in. Below a folder in which everybody may create files, its folders are created for
 * this user alone.
 * @throws IdewireError `file-system` for a folder there that is a link, another user's, or open to others' writing
 */
export async function ownDirectory(folder: DiscoveryFolder, env: Environment): Promise<string> {
  const { base, root, below } = folder;
  if (base === "temp") {
    let path = temporaryDirectory(env);
    for (const name of below === undefined ? [root] : [root, below]) {
      path = join(path, name);
      await makeOwnFolder(path);
    }
  }
  return discoveryDirectory(folder, env);
}

/**
 * Creates a folder for this user alone, unless it exists.
 * @throws IdewireError `file-system` for one that is a link, another user's, or open to others' writing
 */
export async function makeOwnFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw fileSystemError("make", path, error);
  }
  const why = await folderFault(path);
  if (why === undefined) return;
  throw new IdewireError("file-system", `${path} ${why}: nothing is published there; remove it`);
}

/**
 * Why a folder is not private to this user; undefined if it is.
 * @throws Error as the system does
 */
export async function folderFault(path: string): Promise<string | undefined> {
  const found = await lstat(path);
  const own = process.getuid?.() ?? found.uid;
  if (found.isSymbolicLink()) return "is a link";
  if (!found.isDirectory()) return "is not a folder";
  if (found.uid !== own) return `belongs to user ${found.uid}`;
  const isOpen = process.getuid !== undefined && (found.mode & WRITABLE) !== 0;
  return isOpen ? "may be written by others" : undefined;
}
