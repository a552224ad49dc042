import { rm } from "node:fs/promises";

/**
 * Removes a folder, if it exists, while exiting processes may still write to it: retries for ten seconds.
 * Unlike `rmSync`, this `rm` lists the folder again for each attempt.
 */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
