import { stat } from "node:fs/promises";
import { type Diagnostic, isInside, type PosixPath } from "@idewire/core";
import { isSecretPath } from "@idewire/core/internal";
import { platform } from "@idewire/node-server/internal";
import { keyOf, toNative } from "@idewire/node-server/internal/files";
import type { LinterProblem } from "./matcher-run.ts";

/** The most problems reported for a file. */
const MAX_OF_FILE = 100;

/** The problems that a program has found in a file. */
export interface ProblemList {
  readonly path: PosixPath;
  readonly list: readonly Diagnostic[];
}

/**
 * Groups problems by the comparison key of their files. Only existing files of the folder are included: other
 * matches are not problems, or not of this folder. A compiler repeats the problems of a header for each file
 * that includes it.
 */
export async function listProblems(
  problems: readonly LinterProblem[],
  folder: PosixPath,
): Promise<ReadonlyMap<string, ProblemList>> {
  const found = new Map<string, { path: PosixPath; list: Diagnostic[]; output: Set<string> }>();
  for (const { path, diagnostic } of problems) {
    if (!isInside(folder, path, platform) || isSecretPath(path)) continue;
    const key = keyOf(path);
    const file = found.get(key) ?? { path, list: [], output: new Set() };
    found.set(key, file);
    const words = JSON.stringify(diagnostic);
    if (file.output.has(words) || file.list.length >= MAX_OF_FILE) continue;
    file.output.add(words);
    file.list.push(diagnostic);
  }
  for (const [key, { path }] of found) {
    const stats = await stat(toNative(path)).catch(() => undefined);
    if (stats?.isFile() !== true) found.delete(key);
  }
  return found;
}
