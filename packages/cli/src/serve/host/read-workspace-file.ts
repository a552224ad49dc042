import { realpath } from "node:fs/promises";
import type { EditorHost, PosixPath } from "@idewire/core";
import { ToolFailure } from "@idewire/core/rpc";
import {
  demandPlain,
  fromNative,
  toNative,
  WorkspacePaths,
} from "@idewire/node-server/internal/files";

/** Reads a file of a workspace for an editor that delegates this. */
export type ReadWorkspaceFile = (host: EditorHost, path: PosixPath) => Promise<string>;

/**
 * Reads text files of workspace folders from the disk. The real path of a folder is determined at its first
 * use, so that a link that replaces it later is not followed.
 *
 * The returned function throws a ToolFailure for a file that is outside the folders, whether it exists or not,
 * missing, or not a text.
 */
export function createWorkspaceReader(): ReadWorkspaceFile {
  const known = new Map<PosixPath, WorkspacePaths>();
  const pathsOf = async (folder: PosixPath): Promise<WorkspacePaths | undefined> => {
    const real = known.get(folder) ?? (await realpath(toNative(folder)).catch(() => undefined));
    if (typeof real !== "string") return real;
    const paths = new WorkspacePaths(fromNative(real));
    known.set(folder, paths);
    return paths;
  };
  return async (host, path) => {
    for (const folder of host.workspace().folders) {
      const paths = await pathsOf(folder.path);
      if (paths !== undefined && (await paths.locate(path)).inside) return readText(path, paths);
    }
    throw new ToolFailure(`${path} is outside the workspace folders, or a link leads it there`);
  };
}

async function readText(path: PosixPath, paths: WorkspacePaths): Promise<string> {
  const { real, file } = await paths.readInside(path);
  demandPlain(path, real);
  if (file.kind === "text") return file.text;
  throw new ToolFailure(
    file.kind === "missing" ? `${path}: there is no such file` : `${path} ${file.why}`,
  );
}
