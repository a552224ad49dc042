import { type Position, type PosixPath, parsePosixPath } from "@idewire/core";
import type { VaultPaths } from "../vault-paths.ts";

/** Where an `obsidian://idewire` link leads. */
export interface OpenedPlace {
  readonly path: PosixPath;
  /** 0-based. */
  readonly start: Position | undefined;
}

/**
 * Parses `path`, `line` and `column` of a link, and paths in the form that agents print, such as
 * `notes/a.md:12`. Paths are absolute or relative to the vault; lines and columns are 1-based.
 */
export function readOpenedPlace(
  params: Readonly<Record<string, string>>,
  paths: VaultPaths,
): OpenedPlace | undefined {
  const named = /^(.+?)(?::(\d+))?(?::(\d+))?$/s.exec(params["path"] ?? "");
  if (named === null) return undefined;
  const [, name = "", inPath, inPathColumn] = named;
  const line = Number(params["line"] ?? inPath);
  const column = Number(params["column"] ?? inPathColumn ?? 1);
  const path = toPath(name, paths);
  if (path === undefined) return undefined;
  const isPlace = Number.isSafeInteger(line) && line > 0;
  const character = Number.isSafeInteger(column) && column > 0 ? column - 1 : 0;
  return { path, start: isPlace ? { line: line - 1, character } : undefined };
}

function toPath(name: string, paths: VaultPaths): PosixPath | undefined {
  const absolute = paths.fromNative(name);
  if (absolute !== undefined && paths.toVault(absolute) !== undefined) return absolute;
  const inVault = parsePosixPath(`${paths.root}/${name}`);
  return inVault.ok ? inVault.value : undefined;
}
