import { readdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type PathMap, type PosixPath, toPosixPath } from "@idewire/core";
import { claudeDiscovery, type DiscoveryFormat } from "@idewire/core/internal";
import { discoveryDirectories, type Environment } from "../files/directories.ts";
import { codeOf } from "../process/error-code.ts";
import { platform } from "../process/platform.ts";
import { type EditorFile, readEditorFile } from "./editor-file.ts";
import { windowsDirectories } from "./wsl.ts";

/** From where an editor is looked for. */
export interface FindEditorsOptions {
  /** The native working directory; that of this process when left out. */
  readonly cwd?: string;
  /** Where `HOME`, `CLAUDE_CONFIG_DIR` and the like are read; `process.env` when left out. */
  readonly env?: Environment;
  /**
   * From the paths of an editor on another machine (`host`) to those here (`agent`). Those of
   * Windows are known from WSL without it.
   */
  readonly pathMap?: PathMap | undefined;
  /** Whose files are read: Claude Code's when left out. */
  readonly format?: DiscoveryFormat | undefined;
}

/** A running editor for the working directory. */
export interface FoundEditor {
  readonly lockFile: string;
  readonly name: string;
  /** Where it listens: at a port of this machine or another, or at a socket of the file system. */
  readonly host: string;
  readonly port?: number;
  readonly socketPath?: string;
  /** Never to be shown. */
  readonly token: string | undefined;
  readonly pid: number | undefined;
  /** As its lock file has them. */
  readonly folders: readonly string[];
  /** Its folders are written as on Windows; agents in WSL translate them. */
  readonly inWindows?: boolean;
  /** The port of the editor whose proxy it is, if it is `idewire inspect`. */
  readonly inspects?: number;
  /** Set when it calls the files here otherwise: from its paths (`host`) to ours (`agent`). */
  readonly pathMap?: PathMap;
}

/** One that listens at a port, as all of Claude Code's family do. */
export interface EditorAtPort extends FoundEditor {
  readonly port: number;
}

export function isAtPort(editor: FoundEditor): editor is EditorAtPort {
  return editor.port !== undefined;
}

/** A directory in which lock files are looked for. */
export interface LockDirectory {
  readonly path: string;
  /** The code of the system's error when it cannot be listed, such as `ENOENT`. */
  readonly error?: string;
}

/** The editors found, and those skipped, with the reasons. */
export interface EditorSearch {
  /** Native and real: what the folders of the lock files are compared with. */
  readonly cwd: string;
  readonly directories: readonly LockDirectory[];
  /** Every lock file, newest first. */
  readonly files: readonly EditorFile[];
  /** Those to connect to, best first: the longest folder, then the newest file. */
  readonly editors: readonly FoundEditor[];
}

/**
 * Looks for the editors that an agent in a working directory would connect to, as Claude Code does
 * (docs/clients/claude-code.md, Discovery). Nothing is deleted, and nothing is connected to, but where a lock file
 * names no process its port is tried.
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

/** An editor's own terminal names its port, which counts whatever the folders are. */
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
