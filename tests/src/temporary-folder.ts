import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "./remove-folder.ts";

/**
 * A new folder, by its real path, for the running test: removed when that ends, after what the test
 * opened later is closed.
 */
export function temporaryFolder(prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
