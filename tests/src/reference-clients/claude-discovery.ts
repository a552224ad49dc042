import { readFileSync } from "node:fs";
import { readdir, readFile, stat, unlink } from "node:fs/promises";
import { connect } from "node:net";
import { join, resolve, sep } from "node:path";
import { isObject, parseJson } from "./wire.ts";

/** The variables of the environment that decide whether and where the client connects. */
export interface ClaudeEnv {
  readonly HOME: string;
  readonly CLAUDE_CONFIG_DIR?: string;
  readonly CLAUDE_CODE_SSE_PORT?: string;
  readonly CLAUDE_CODE_AUTO_CONNECT_IDE?: string;
  readonly FORCE_CODE_TERMINAL?: string;
  readonly CLAUDE_CODE_IDE_SKIP_VALID_CHECK?: string;
  readonly CLAUDE_CODE_IDE_HOST_OVERRIDE?: string;
  /** Set by third-party plugins; no client reads it. */
  readonly ENABLE_IDE_INTEGRATION?: string;
  readonly HTTP_PROXY?: string;
}

export interface LockFile {
  readonly path: string;
  /** Not a number if the name is not a port. */
  readonly port: number;
  readonly mtimeMs: number;
  readonly folders: readonly string[];
  readonly pid: number | undefined;
  readonly ideName: string;
  readonly transport: string;
  readonly authToken: string | undefined;
}

function lockFolders(env: ClaudeEnv): string[] {
  const home = join(env.HOME, ".claude", "ide");
  if (env.CLAUDE_CONFIG_DIR === undefined) return [home];
  return [...new Set([join(env.CLAUDE_CONFIG_DIR, "ide"), home])];
}

/** All lock files, newest first. */
export async function listLocks(env: ClaudeEnv): Promise<LockFile[]> {
  const found: LockFile[] = [];
  for (const folder of lockFolders(env)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.endsWith(".lock"))) {
      const lock = await readLock(join(folder, name), name);
      if (lock) found.push(lock);
    }
  }
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs);
}

async function readLock(path: string, name: string): Promise<LockFile | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const { mtimeMs } = await stat(path);
    const base = name.slice(0, -".lock".length);
    const port = /^\d+$/.test(base) ? Number(base) : Number.NaN;
    return { path, port, mtimeMs, ...lockFields(text) };
  } catch {
    return undefined;
  }
}

function lockFields(text: string): Omit<LockFile, "path" | "port" | "mtimeMs"> {
  const parsed = parseJson(text);
  if (!parsed) {
    const folders = text.split("\n").flatMap((line) => (line.trim() ? [line.trim()] : []));
    return { folders, pid: undefined, ideName: "IDE", transport: "sse", authToken: undefined };
  }
  const { workspaceFolders, pid, ideName, transport, authToken } = isObject(parsed.value)
    ? parsed.value
    : {};
  return {
    folders: Array.isArray(workspaceFolders)
      ? workspaceFolders.filter((folder: unknown) => typeof folder === "string")
      : [],
    pid: typeof pid === "number" ? pid : undefined,
    ideName: typeof ideName === "string" ? ideName : "IDE",
    transport: transport === "ws" ? "ws" : "sse",
    authToken: typeof authToken === "string" ? authToken : undefined,
  };
}

/** Deletes the locks of dead editors, as the client does once at its start. Returns their paths. */
export async function sweepLocks(env: ClaudeEnv): Promise<string[]> {
  const deleted: string[] = [];
  for (const lock of await listLocks(env)) {
    const live = lock.pid === undefined ? await answers(lock.port) : isAlive(lock.pid);
    if (live) continue;
    await unlink(lock.path).catch(() => undefined);
    deleted.push(lock.path);
  }
  return deleted;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isObject(error) && error["code"] === "EPERM";
  }
}

function answers(port: number): Promise<boolean> {
  if (!(port > 0 && port < 65536)) return Promise.resolve(false);
  return new Promise((done) => {
    const socket = connect({ host: "127.0.0.1", port });
    const finish = (result: boolean) => {
      socket.destroy();
      done(result);
    };
    // Data received while the machine was busy is read first.
    socket.setTimeout(500, () => setImmediate(() => finish(false)));
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}

/** Compared as texts: the cwd is a real path, the folder is from the lock file. */
export function containsCwd(folder: string, cwd: string): boolean {
  const outer = resolve(folder).normalize("NFC");
  const inner = cwd.normalize("NFC");
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** Whether the client looks for an editor at all. */
export function connectsByItself(
  env: ClaudeEnv,
  flags: { readonly ide: boolean; readonly print: boolean; readonly autoConnectIde: boolean },
): boolean {
  if (flags.print || env.CLAUDE_CODE_AUTO_CONNECT_IDE === "false") return false;
  return (
    flags.ide ||
    flags.autoConnectIde ||
    env.CLAUDE_CODE_AUTO_CONNECT_IDE === "true" ||
    env.CLAUDE_CODE_SSE_PORT !== undefined ||
    env.FORCE_CODE_TERMINAL !== undefined
  );
}

/** The lock to connect to, or none: two matches count as none. */
export function chooseLock(
  locks: readonly LockFile[],
  env: ClaudeEnv,
  client: { readonly cwd: string; readonly pid: number },
): LockFile | undefined {
  const usable = locks.filter(
    (lock) => !Number.isNaN(lock.port) && (lock.pid === undefined || isAlive(lock.pid)),
  );
  const named = usable.find((lock) => String(lock.port) === env.CLAUDE_CODE_SSE_PORT);
  if (named) return named;
  const ancestry =
    env.FORCE_CODE_TERMINAL !== undefined && env.CLAUDE_CODE_SSE_PORT === undefined
      ? ancestors(client.pid)
      : undefined;
  const matches = usable.filter(
    (lock) =>
      (env.CLAUDE_CODE_IDE_SKIP_VALID_CHECK === "true" ||
        lock.folders.some((folder) => containsCwd(folder, client.cwd))) &&
      (!ancestry || (lock.pid !== undefined && ancestry.includes(lock.pid))),
  );
  return matches.length === 1 ? matches[0] : undefined;
}

/** Up to ten levels of processes above one. */
function ancestors(pid: number): number[] {
  const line: number[] = [];
  for (let parent = parentOf(pid); parent && line.length < 10; parent = parentOf(parent)) {
    line.push(parent);
  }
  return line;
}

function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

/** Locks that /ide lists: also those whose folder lies below the cwd. */
export function offeredLocks(locks: readonly LockFile[], cwd: string): LockFile[] {
  return locks.filter(
    (lock) =>
      !Number.isNaN(lock.port) &&
      (lock.pid === undefined || isAlive(lock.pid)) &&
      lock.folders.some((folder) => containsCwd(folder, cwd) || containsCwd(cwd, resolve(folder))),
  );
}
