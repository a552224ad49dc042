import { rm } from "node:fs/promises";

/**
 * Removes a folder, if it is there, while processes that are about to end may still write to it: tries
 * for ten seconds. `rmSync` does not list a folder again when it retries; this `rm` does.
 */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
