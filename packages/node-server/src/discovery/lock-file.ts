import { readFileSync, rmSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LOCK_FILE_GENERATOR } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { Environment } from "../files/directories.ts";
import { fileSystemError, sweepDrafts, writePrivateFile } from "../files/private-file.ts";
import { readSmallFile } from "../files/small-file.ts";
import { codeOf } from "../process/error-code.ts";
import { isAlive, portAnswers } from "../process/liveness.ts";
import type { DiscoveryFormat, ServerFacts } from "./formats.ts";

/** A published lock file. Its publisher removes it. */
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

/**
 * Removes what crashed runs of ours have left: a dead process and a port that is silent.
 * @returns what agents may stumble over there, and is not ours to mend
 */
export async function sweepLockFiles(
  format: DiscoveryFormat,
  env: Environment,
): Promise<readonly Error[]> {
  const directory = format.directory(env);
  let names: string[];
  try {
    names = await readdir(directory);
  } catch (error) {
    const isMissing = codeOf(error) === "ENOENT";
    return isMissing ? [] : [fileSystemError("list", directory, error)];
  }
  await sweepDrafts(directory);
  const troubles = await Promise.all(
    names.map((name) => sweepLockFile(format, join(directory, name), format.portOf(name))),
  );
  return troubles.filter((trouble) => trouble !== undefined);
}

async function sweepLockFile(
  format: DiscoveryFormat,
  path: string,
  port: number | undefined,
): Promise<Error | undefined> {
  if (port === undefined) return undefined;
  const file = await readLockFile(format, path);
  if (!file.ok) {
    const advice = "remove it, unless its editor is just starting";
    return new IdewireError("file-system", `${path} is no lock file: ${file.issue}; ${advice}`);
  }
  const { generator, generatorPid, pid = generatorPid } = file.value;
  if (generator !== LOCK_FILE_GENERATOR || pid === undefined || isAlive(pid)) return undefined;
  if (!(await portAnswers(port))) await rm(path, { force: true }).catch(() => {});
  return undefined;
}

/** A file that is there and does not say that it is ours, or that we may not even read. */
async function isSomebodyElses(format: DiscoveryFormat, path: string): Promise<boolean> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (!exists) return false;
  const file = await readLockFile(format, path);
  return !file.ok || file.value.generator !== LOCK_FILE_GENERATOR;
}

async function readLockFile(format: DiscoveryFormat, path: string) {
  try {
    return format.parse(await readSmallFile(path));
  } catch (error) {
    return { ok: false, issue: (error as Error).message } as const;
  }
}

function removeIfUnchanged(path: string, text: string): void {
  try {
    if (readFileSync(path, "utf8") === text) rmSync(path, { force: true });
  } catch {
    // It no longer exists, or the disk has failed: there is nothing left to remove.
  }
}
