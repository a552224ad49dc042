import { readdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type PathMap, type PosixPath, toPosixPath } from "@idewire/core";
import { claudeDiscovery, type DiscoveryFormat } from "@idewire/core/internal";
import { discoveryDirectories, type Environment } from "../files/directories.ts";
import { codeOf } from "../process/error-code.ts";
import { platform } from "../process/platform.ts";
import { type EditorFile, readEditorFile } from "./editor-file.ts";
import { windowsDirectories } from "./wsl.ts";

/** Where and for which agents an editor is looked for. */
export interface FindEditorsOptions {
  /** The native working directory; this process's by default. */
  readonly cwd?: string;
  /** The environment from which `HOME`, `CLAUDE_CONFIG_DIR` and the like are read; `process.env` by default. */
  readonly env?: Environment;
  /**
   * Maps the paths of an editor on another machine (`host`) to those here (`agent`). Not needed for Windows paths
   * in WSL.
   */
  readonly pathMap?: PathMap | undefined;
  /** The dialect whose files are read; Claude Code's by default. */
  readonly format?: DiscoveryFormat | undefined;
}

/** A running editor for the working directory. */
export interface FoundEditor {
  readonly lockFile: string;
  readonly name: string;
  /** Where it listens: a port of this machine or another, or a socket of the file system. */
  readonly host: string;
  readonly port?: number;
  readonly socketPath?: string;
  /** Must never be shown. */
  readonly token: string | undefined;
  readonly pid: number | undefined;
  /** As in its lock file. */
  readonly folders: readonly string[];
  /** Its folders are Windows paths; agents in WSL translate them. */
  readonly inWindows?: boolean;
  /** For a proxy of `idewire inspect`: the port of the editor behind it. */
  readonly inspects?: number;
  /** Set if its paths differ from those here: maps its paths (`host`) to ours (`agent`). */
  readonly pathMap?: PathMap;
}

/** An editor that listens at a port, as all of Claude Code's family do. */
export interface EditorAtPort extends FoundEditor {
  readonly port: number;
}

export function isAtPort(editor: FoundEditor): editor is EditorAtPort {
  return editor.port !== undefined;
}

/** A directory of lock files. */
export interface LockDirectory {
  readonly path: string;
  /** The code of the system's error, such as `ENOENT`, if it cannot be listed. */
  readonly error?: string;
}

/** The editors found, and those skipped, with the reasons. */
export interface EditorSearch {
  /** Native and real; compared with the folders of the lock files. */
  readonly cwd: string;
  readonly directories: readonly LockDirectory[];
  /** Every lock file, newest first. */
  readonly files: readonly EditorFile[];
  /** The matching editors, best first: the longest folder, then the newest file. */
  readonly editors: readonly FoundEditor[];
}

/**
 * Finds the editors that an agent in a working directory would connect to, as Claude Code does
 * (docs/clients/claude-code.md, Discovery). Deletes nothing, and connects to nothing except the port of a lock
 * file that names no process.
 */
export async function findEditors(options: FindEditorsOptions = {}): Promise<EditorSearch> {
  const { env = process.env, format = claudeDiscovery, pathMap } = options;
  const named = resolve(options.cwd ?? process.cwd());
  const cwd = await realpath(named).catch(() => named);
  const path = toPosixPath(cwd, platform);
  const directories = await listDirectories(env, format);
  const paths = directories.flatMap(({ path: directory, names }) =>
    names.map((name) => join(directory, name)),
  );
  const view = { format, env, pathMap, cwd: path.ok ? path.value : ("/" as PosixPath) };
  const read = await Promise.all(paths.map((file) => readEditorFile(file, view)));
  const files = read.sort((left, right) => right.modifiedMs - left.modifiedMs);
  return {
    cwd,
    directories: directories.map(({ names: _, ...directory }) => directory),
    files,
    editors: chooseEditors(files, env),
  };
}

interface ListedDirectory extends LockDirectory {
  readonly names: readonly string[];
}

async function listDirectories(
  env: Environment,
  { folder, match }: DiscoveryFormat,
): Promise<readonly ListedDirectory[]> {
  const own = discoveryDirectories(folder, env);
  const paths = new Set([...own, ...(await windowsDirectories(folder, env))]);
  return Promise.all(
    [...paths].map(async (path) => {
      try {
        const names = await readdir(path);
        return { path, names: names.filter((name) => match(name) !== undefined) };
      } catch (error) {
        return { path, names: [], error: codeOf(error) };
      }
    }),
  );
}

/** An editor's own terminal names its port, which takes precedence over the folders. */
function chooseEditors(files: readonly EditorFile[], env: Environment): readonly FoundEditor[] {
  const preferred = Number(env["CLAUDE_CODE_SSE_PORT"]);
  const takesAll = env["CLAUDE_CODE_IDE_SKIP_VALID_CHECK"] === "true";
  const rank = ({ port, folder }: EditorFile) =>
    port === preferred ? Number.POSITIVE_INFINITY : (folder?.length ?? 0);
  return files
    .filter(({ stale, port, folder }) => {
      return stale === undefined && (folder !== undefined || takesAll || port === preferred);
    })
    .sort((left, right) => (rank(left) === rank(right) ? 0 : rank(right) - rank(left)))
    .flatMap((file) => toEditor(file) ?? []);
}

/** The editor of a lock file; undefined if the file is incomplete. */
export function toEditor({ path, port, lock, host, pathMap }: EditorFile): FoundEditor | undefined {
  const { socketPath } = lock ?? {};
  if (lock === undefined || (port === undefined && socketPath === undefined)) return undefined;
  return {
    lockFile: path,
    name: lock.ideName ?? "IDE",
    host,
    ...(port !== undefined && { port }),
    ...(socketPath !== undefined && { socketPath }),
    token: lock.authToken,
    pid: lock.pid,
    folders: lock.workspaceFolders,
    ...(lock.runningInWindows === true && { inWindows: true }),
    ...(lock.inspects !== undefined && { inspects: lock.inspects }),
    ...(pathMap !== undefined && { pathMap }),
  };
}
