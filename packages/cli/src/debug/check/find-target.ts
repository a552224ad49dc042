import { basename } from "node:path";
import type { PosixPath } from "@idewire/core";
import { claudeDiscovery } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { type FindEditorsOptions, findEditors } from "@idewire/node-server";
import { noEditor, readEditorFile } from "@idewire/node-server/internal";

/** The editor to check, by its lock file. */
export interface FoundTarget {
  readonly lockFile: string;
  readonly name: string;
  readonly host: string;
  /** Undefined if the lock file's name contains none. */
  readonly port: number | undefined;
  /** Must never be shown. */
  readonly token: string | undefined;
}

/**
 * The editor that an agent in a working directory would connect to.
 * @throws IdewireError `no-editor` naming the skipped editors and why
 */
export async function findTarget(options: FindEditorsOptions): Promise<FoundTarget> {
  const search = await findEditors(options);
  const preferred = Number((options.env ?? process.env)["CLAUDE_CODE_SSE_PORT"]);
  const { editors } = search;
  // An inspection behaves like its editor, but has its own endpoint.
  const editor = editors.find((one) => one.inspects === undefined || one.port === preferred);
  if (editor === undefined) throw noEditor(search);
  return { ...editor, port: editor.port };
}

/**
 * The editor of a lock file, even an invalid one.
 * @param lockFile native and absolute
 * @throws IdewireError `no-editor` when it cannot be read
 */
export async function readTarget(
  lockFile: string,
  { env = process.env }: FindEditorsOptions,
): Promise<FoundTarget> {
  const cwd = "/" as PosixPath;
  const file = await readEditorFile(lockFile, { format: claudeDiscovery, cwd, env });
  if (file.stale?.code === "unreadable") {
    throw new IdewireError("no-editor", `${lockFile}: ${file.stale.why}`);
  }
  const { host, port, lock } = file;
  return {
    lockFile,
    name: lock?.ideName ?? basename(lockFile),
    host,
    port,
    token: lock?.authToken,
  };
}
