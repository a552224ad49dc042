import { isInside, type PosixPath, toPosixPath } from "@idewire/core";
import type { Environment } from "../files/directories.ts";
import { platform } from "../process/platform.ts";
import { type FoundEditor, findEditors, toEditor } from "./find-editors.ts";

/**
 * Running editors of the folder, of one above it or of one below: if two match a working directory, agents connect
 * to none automatically.
 * @param folder native and real
 */
export async function findNestedEditors(
  folder: string,
  env: Environment,
): Promise<readonly FoundEditor[]> {
  const own = toPosixPath(folder, platform);
  const { files } = await findEditors({ cwd: folder, env });
  return files.flatMap((file) => {
    const { stale, lock } = file;
    if (stale !== undefined || lock === undefined || !own.ok) return [];
    const isNested = lock.workspaceFolders.some((other) => overlaps(other, own.value));
    return isNested ? (toEditor(file) ?? []) : [];
  });
}

function overlaps(native: string, own: PosixPath): boolean {
  const other = toPosixPath(native, platform);
  if (!other.ok) return false;
  return isInside(other.value, own, platform) || isInside(own, other.value, platform);
}
