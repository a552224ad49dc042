import { once } from "node:events";
import { lstatSync, unlinkSync } from "node:fs";
import { chmod, rename } from "node:fs/promises";
import type { Server } from "node:net";
import { dirname, join } from "node:path";
import { platform } from "../process/platform.ts";
import { draftName, makePrivateDirectory, sweepDrafts } from "./private-file.ts";

/**
 * Listens at a path that only the user may open: the socket gets its name once its mode is private, and replaces a
 * stale socket. The path remains when the server closes.
 * @param path a socket of the file system, or a pipe of Windows
 * @throws IdewireError `file-system` when its directory cannot be created, Error as the system does
 */
export async function listenPrivately(server: Server, path: string): Promise<void> {
  if (platform === "windows") {
    server.listen(path);
    await once(server, "listening");
    return;
  }
  await makePrivateDirectory(dirname(path));
  await sweepDrafts(dirname(path));
  // Hardly longer than the final name: socket paths are limited to few bytes.
  const draft = join(dirname(path), draftName());
  server.listen(draft);
  await once(server, "listening");
  try {
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    server.close();
    removeSocket(draft);
    throw error;
  }
}

/**
 * Removes a socket, if it is there. It has no `rmSync` or plain `lstatSync`: after these have seen a socket, Node's
 * module loader resolves no links, and imports fail where packages are installed as links.
 * @throws Error as the system does, except ENOENT
 */
export function removeSocket(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** The inode of a socket, read as {@link removeSocket} requires. @throws Error as the system does, except ENOENT */
export function inodeNow(path: string): number | undefined {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return facts && Number(facts.ino);
}
