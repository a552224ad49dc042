import { basename } from "node:path";
import { claudeCode, type Dialect, type PosixPath } from "@idewire/core";
import { claudeDiscovery } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { type FindEditorsOptions, findEditors } from "@idewire/node-server";
import { noEditor, readEditorFile } from "@idewire/node-server/internal";

/** The editor to check, by its lock file. */
export interface FoundTarget {
  readonly lockFile: string;
  readonly name: string;
  readonly host: string;
  /** Undefined if the lock file names none. */
  readonly port: number | undefined;
  /** The socket where it listens, in place of a port. */
  readonly socketPath?: string;
  /** Native. */
  readonly folders?: readonly string[];
  /** The dialect of the endpoint; Claude Code's by default. */
  readonly dialect?: Dialect;
  /** Must never be shown. */
  readonly token: string | undefined;
}

/** Where an editor is looked for, and as which agent. */
interface TargetOptions extends Omit<FindEditorsOptions, "format"> {
  readonly dialect?: Dialect | undefined;
}

/**
 * The editor that an agent in a working directory would connect to.
 * @throws IdewireError `no-editor` with the skipped editors and the reasons
 */
export async function findTarget(options: TargetOptions): Promise<FoundTarget> {
  const { dialect = claudeCode } = options;
  const search = await findEditors({ ...options, format: dialect.endpoint.discovery });
  const preferred = Number((options.env ?? process.env)["CLAUDE_CODE_SSE_PORT"]);
  const { editors } = search;
  // An inspection behaves like its editor, but has its own endpoint.
  const editor = editors.find((one) => one.inspects === undefined || one.port === preferred);
  if (editor === undefined) throw noEditor(search);
  return { ...editor, port: editor.port, dialect };
}

/**
 * The editor of a lock file, even an invalid one.
 * @param lockFile native and absolute
 * @throws IdewireError `no-editor` when it cannot be read
 */
export async function readTarget(
  lockFile: string,
  { env = process.env, dialect = claudeCode }: TargetOptions,
): Promise<FoundTarget> {
  const cwd = "/" as PosixPath;
  const { discovery: format = claudeDiscovery } = dialect.endpoint;
  const file = await readEditorFile(lockFile, { format, cwd, env });
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
    dialect,
    folders: lock?.workspaceFolders ?? [],
    ...(lock?.socketPath !== undefined && { socketPath: lock.socketPath }),
  };
}
