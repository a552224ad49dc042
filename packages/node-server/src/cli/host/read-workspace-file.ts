import { realpath } from "node:fs/promises";
import { type EditorHost, type PosixPath, ToolFailure } from "@idewire/core";
import { fromNative, toNative } from "../../folder-host/native-path.ts";
import { readTextFile } from "../../folder-host/text-file.ts";
import { WorkspacePaths } from "../../folder-host/workspace-path.ts";

/**
 * Reads a text file of a workspace folder from the disk, for an editor that leaves that to us.
 * @throws ToolFailure when it is outside the folders, whether it exists or not; missing; or no text
 */
export async function readWorkspaceFile(host: EditorHost, path: PosixPath): Promise<string> {
  for (const folder of host.workspace().folders) {
    const real = await realpath(toNative(folder.path)).catch(() => undefined);
    if (real === undefined) continue;
    const located = await new WorkspacePaths(fromNative(real)).locate(path);
    if (located.inside) return readText(path, located.real);
  }
  throw new ToolFailure(`${path} is outside the workspace folders, or a link leads it there`);
}

async function readText(path: PosixPath, real: PosixPath): Promise<string> {
  const file = await readTextFile(real);
  if (file.kind === "text") return file.text;
  throw new ToolFailure(
    file.kind === "missing" ? `${path}: there is no such file` : `${path} ${file.why}`,
  );
}
