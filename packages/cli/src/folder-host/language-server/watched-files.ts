import { stat } from "node:fs/promises";
import { type PosixPath, toFileUri } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import { toNative } from "@idewire/node-server/internal/files";
import type { FileChangeType, FileEvent } from "vscode-languageserver-protocol";

const CREATED: typeof FileChangeType.Created = 1;
const CHANGED: typeof FileChangeType.Changed = 2;
const DELETED: typeof FileChangeType.Deleted = 3;

/** A younger file counts as just created. */
const YOUNG_MS = 2_000;

/** The most files in one notification to a server. */
const MAX_EVENTS = 1_000;

/** The changes of files, for `workspace/didChangeWatchedFiles`. */
export async function fileEvents(paths: readonly PosixPath[]): Promise<{
  readonly changes: readonly FileEvent[];
  readonly deleted: readonly PosixPath[];
}> {
  const deleted: PosixPath[] = [];
  const changes = await Promise.all(
    paths.slice(0, MAX_EVENTS).map(async (path) => {
      const stats = await stat(toNative(path)).catch(() => undefined);
      if (stats === undefined) deleted.push(path);
      const isYoung = stats !== undefined && Date.now() - stats.birthtimeMs < YOUNG_MS;
      const type = stats === undefined ? DELETED : isYoung ? CREATED : CHANGED;
      return { uri: toFileUri(path, platform), type };
    }),
  );
  return { changes, deleted };
}
