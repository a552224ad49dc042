import { lstat } from "node:fs/promises";
import type { PosixPath } from "@idewire/core";
import { baseName } from "@idewire/core";
import { joinPath, toNative } from "@idewire/node-server/internal/files";
import type { LinterProblem } from "./matcher-run.ts";

/** The most files that are searched for, and how many folders of a path are left out: each costs a disk access. */
const MAX_FILES = 200;
const MAX_LEFT_OUT = 20;
/** A shorter end of a path, such as `index.js`, may be that of another file, unless its folder is one such as `/app`. */
const SURE_PARTS = 2;
const SHORT_PREFIX = 2;

/**
 * The problems, at the files of the folder: one that does not exist where it is named, as by a program in a container
 * or with the package of a Go test, is at the longest end of its path that exists in the folder.
 */
export async function locateProblems(
  problems: readonly LinterProblem[],
  folder: PosixPath,
): Promise<readonly LinterProblem[]> {
  const known = new Map<string, Promise<PosixPath>>();
  const locate = ({ path, within }: LinterProblem): Promise<PosixPath> => {
    const key = `${within ?? ""}\n${path}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MAX_FILES) return Promise.resolve(path);
    const located = within === undefined ? inFolder(path, folder) : inPackage(path, within, folder);
    known.set(key, located);
    return located;
  };
  return Promise.all(
    problems.map(async (problem) => ({ ...problem, path: await locate(problem) })),
  );
}

async function inFolder(path: PosixPath, folder: PosixPath): Promise<PosixPath> {
  if (await exists(path)) return path;
  const parts = path.split("/").filter((part) => part !== "");
  return (await longestEnd(parts, folder, true)) ?? path;
}

async function inPackage(path: PosixPath, name: string, folder: PosixPath): Promise<PosixPath> {
  const parts = [...name.split("/"), baseName(path)];
  return (await longestEnd(parts, folder, false)) ?? path;
}

async function longestEnd(
  parts: readonly string[],
  folder: PosixPath,
  mustBeSure: boolean,
): Promise<PosixPath | undefined> {
  if (parts.includes("..")) return undefined;
  for (let leftOut = 0; leftOut < Math.min(parts.length, MAX_LEFT_OUT); leftOut += 1) {
    const end = parts.slice(leftOut);
    if (mustBeSure && end.length < SURE_PARTS && leftOut > SHORT_PREFIX) return undefined;
    const path = joinPath(folder, end.join("/"));
    if (await exists(path)) return path;
  }
  return undefined;
}

function exists(path: PosixPath): Promise<boolean> {
  return lstat(toNative(path)).then(
    () => true,
    () => false,
  );
}
