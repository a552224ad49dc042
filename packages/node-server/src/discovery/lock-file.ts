import { readFileSync, rmSync } from "node:fs";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { IdewireError, LOCK_FILE_GENERATOR } from "@idewire/core";
import type { Environment } from "../directories.ts";
import { isAlive, portAnswers } from "../liveness.ts";
import { writePrivateFile } from "../private-file.ts";
import type { DiscoveryFormat, ServerFacts } from "./formats.ts";

/** A lock file that is published. Whoever published it removes it. */
export interface PublishedLockFile {
  readonly path: string;
  /** Removes it if it is still ours; synchronous, so that it works while the process exits. */
  remove(): void;
}

/**
 * Publishes a lock file for a port that listens already.
 * @throws IdewireError `port-in-use` when another editor's lock file has that port's name, and
 * `file-system` when it cannot be written
 */
export async function publishLockFile(
  format: DiscoveryFormat,
  env: Environment,
  facts: ServerFacts,
): Promise<PublishedLockFile> {
  const path = join(format.directory(env), format.fileName(facts.port));
  const text = format.format(facts);
  if (await isSomebodyElses(format, path)) {
    throw new IdewireError("port-in-use", `${path} belongs to another editor; choose another port`);
  }
  await writePrivateFile(path, text);
  return { path, remove: () => removeIfUnchanged(path, text) };
}

/** Removes what crashed runs of ours have left: a dead process and a port that is silent. */
export async function sweepLockFiles(
  format: DiscoveryFormat,
  env: Environment,
): Promise<readonly string[]> {
  const directory = format.directory(env);
  const names = await readdir(directory).catch(() => []);
  const swept = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const port = format.portOf(name);
      if (port === undefined || !(await isStale(format, path, port))) return undefined;
      await rm(path, { force: true }).catch(() => {});
      return path;
    }),
  );
  return swept.filter((path) => path !== undefined);
}

async function isStale(format: DiscoveryFormat, path: string, port: number): Promise<boolean> {
  const lock = await readOwner(format, path);
  if (lock?.generator !== LOCK_FILE_GENERATOR || lock.pid === undefined) return false;
  return !isAlive(lock.pid) && !(await portAnswers(port));
}

/** A file that is there and does not say that it is ours, or that we may not even read. */
async function isSomebodyElses(format: DiscoveryFormat, path: string): Promise<boolean> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  return exists && (await readOwner(format, path))?.generator !== LOCK_FILE_GENERATOR;
}

async function readOwner(format: DiscoveryFormat, path: string) {
  const text = await readFile(path, "utf8").catch(() => "");
  const file = format.parse(text);
  return file.ok ? file.value : undefined;
}

function removeIfUnchanged(path: string, text: string): void {
  try {
    if (readFileSync(path, "utf8") === text) rmSync(path, { force: true });
  } catch {
    // It has gone already, or the disk has: there is nothing left for us to remove.
  }
}
