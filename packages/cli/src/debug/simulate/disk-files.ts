import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { ToolFailure } from "@idewire/core/rpc";
import type { WorkspaceFiles } from "@idewire/devtools/internal";
import { codeOf } from "@idewire/node-server/internal";

/** Larger files are not read. */
const MAX_BYTES = 1 << 24;

/**
 * The files of a folder. Paths that leave it through a symbolic link are refused.
 * @param folder native; its real path
 */
export function diskFiles(folder: string): WorkspaceFiles {
  const toNative = (filePath: string) => join(folder, ...filePath.split("/"));
  return {
    read(filePath) {
      const file = toNative(filePath);
      try {
        const facts = statSync(file);
        if (!facts.isFile()) return undefined;
        if (facts.size > MAX_BYTES) {
          throw new ToolFailure(`${filePath} has ${facts.size} bytes, more than ${MAX_BYTES}`);
        }
        demandInside(folder, realpathSync(file), filePath);
        return readFileSync(file, "utf8");
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    write(filePath, text) {
      const file = toNative(filePath);
      demandInside(folder, realStart(file), filePath);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
  };
}

/** The real path of the existing part of a path: writing would follow its links. A dangling link is refused. */
function realStart(file: string): string {
  let path = file;
  while (lstatSync(path, { throwIfNoEntry: false }) === undefined) path = dirname(path);
  try {
    return realpathSync(path);
  } catch {
    return sep;
  }
}

function demandInside(folder: string, real: string, filePath: string): void {
  const way = relative(folder, real);
  if (way !== ".." && !way.startsWith(`..${sep}`)) return;
  throw new ToolFailure(`${filePath} leads out of the workspace`);
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error));
}
