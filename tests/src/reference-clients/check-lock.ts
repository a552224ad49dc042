import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { LockFile } from "./claude-discovery.ts";
import type { Transcript } from "./transcript.ts";

/** Rules of the lock file that the client does not enforce, but depends on. */
export function assessLock(lock: LockFile, transcript: Transcript): void {
  if (lock.transport !== "ws") transcript.violate("lock-transport", lock.transport);
  if (lock.pid === undefined) transcript.violate("lock-pid", "the lock names no pid");
  if (lock.authToken === undefined) transcript.violate("lock-token", "the lock has no token");
  for (const folder of lock.folders) {
    if (realPath(folder) !== folder) transcript.violate("lock-real-path", folder);
  }
  if (process.platform === "win32") return;
  const mode = modeOf(lock.path);
  if (mode !== undefined && mode !== 0o600) {
    transcript.violate("lock-mode", `${mode.toString(8)}, expected 600`);
  }
  const folderMode = modeOf(dirname(lock.path));
  if (folderMode !== undefined && (folderMode & 0o022) !== 0) {
    transcript.violate("lock-folder-mode", `${folderMode.toString(8)} lets others write`);
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return undefined;
  }
}
