import { rmSync } from "node:fs";
import { lstat, utimes } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { clearInterval, setInterval } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import { readLock, takeFileLock } from "../files/file-lock.ts";
import { fileSystemError, writePrivateFile } from "../files/private-file.ts";
import { inodeNow, listenPrivately, removeSocket } from "../files/private-socket.ts";
import { ownIdentity, placeAnswers } from "../process/liveness.ts";
import { platform } from "../process/platform.ts";

/** How soon another process takes the place of one that has ended. */
const CHECK_MS = 1_000;
/** How long one that listens may show nothing, as when it was stopped by Ctrl-Z, until another takes its place. */
const SILENT_MS = 5_000;

/** The sockets for which an editor of this process listens, or tries to. */
const taken = new Set<string>();

export interface SharedSocketOptions {
  /**
   * Where the agents look.
   * @throws IdewireError `file-system` when its folder cannot be used
   */
  readonly place: () => Promise<string>;
  readonly onconnection: (socket: Socket) => void;
  readonly warn: (error: Error) => void;
}

/** The resources while this process listens. */
interface Held {
  readonly server: Server;
  readonly path: string;
  /** The file that it is. */
  readonly inode: number;
  /** Lets another process listen. */
  readonly release: () => Promise<void>;
}

/**
 * The one socket of a user at which agents look for any editor. Of all editors that want it the first listens, and
 * when it has ended, or is stopped, another does. A socket at which a program of another kind listens is left alone.
 */
export class SharedSocket {
  readonly #options: SharedSocketOptions;
  #held: Held | undefined;
  #timer: NodeJS.Timeout | undefined;
  #attempt: Promise<void> = Promise.resolve();
  #isAttempting = false;
  #isClosed = false;
  #warned = "";

  constructor(options: SharedSocketOptions) {
    this.#options = options;
  }

  /** Listens unless another does, and from then on whenever none does. @throws IdewireError `file-system` */
  async open(): Promise<void> {
    await this.#options.place();
    await this.#check();
    this.#timer = setInterval(() => void this.#check(), CHECK_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#attempt;
    await this.#leave();
  }

  /** For the end of the process: removes the socket at once. */
  abandon(): void {
    const held = this.#held;
    if (held === undefined) return;
    if (!isOurs(held)) return;
    removeSocket(held.path);
    rmSync(lockOf(held.path), { force: true });
  }

  #check(): Promise<void> {
    if (this.#isAttempting || this.#isClosed) return this.#attempt;
    this.#isAttempting = true;
    this.#attempt = this.#settle()
      .catch((error: unknown) => this.#warn(error as Error))
      .finally(() => {
        this.#isAttempting = false;
      });
    return this.#attempt;
  }

  /** Listens if no process does; stops if the socket file is gone. */
  async #settle(): Promise<void> {
    if (this.#held !== undefined) {
      if (isOurs(this.#held)) return show(this.#held);
      await this.#leave();
    }
    const path = await this.#options.place();
    if (taken.has(path)) return;
    taken.add(path);
    try {
      await this.#take(path);
    } finally {
      if (this.#held === undefined) taken.delete(path);
    }
  }

  async #take(path: string): Promise<void> {
    const former = await formerSocket(path);
    const release = await lock(path);
    if (release === undefined) return;
    try {
      await demandFree(path, former);
      const server = createServer(this.#options.onconnection);
      await listenPrivately(server, path);
      // The socket must neither keep the process alive nor end it.
      server.unref();
      server.on("error", () => {});
      const inode = await inodeOf(path);
      this.#held = { server, path, release, inode };
      await name(this.#held);
      this.#warned = "";
    } finally {
      if (this.#held === undefined) await release();
    }
  }

  async #leave(): Promise<void> {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    if (isOurs(held)) removeSocket(held.path);
    held.server.close();
    taken.delete(held.path);
    await held.release();
  }

  /** It is tried again: the same failure is reported once. */
  #warn(error: Error): void {
    if (error.message === this.#warned) return;
    this.#warned = error.message;
    this.#options.warn(error);
  }
}

/** The file that names the process that listens. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

/** Held for as long as the process listens; undefined when another editor holds it. */
async function lock(path: string): Promise<(() => Promise<void>) | undefined> {
  if (platform === "windows") return async () => {};
  const describe = (holder: string) => `${holder} listens at ${path}`;
  try {
    return await takeFileLock(lockOf(path), { timeoutMs: 0, silentMs: SILENT_MS, describe });
  } catch (error) {
    if (error instanceof IdewireError && error.code === "timeout") return undefined;
    throw error;
  }
}

/** The file that the editor which listens, or did, has recorded as its socket. */
async function formerSocket(path: string): Promise<unknown> {
  const { inode } = await readLock(lockOf(path)).catch(() => ({ inode: undefined }));
  return inode;
}

/** Records the socket in the lock, as proof for a later owner that it does not belong to another program. */
async function name({ path, inode }: Held): Promise<void> {
  if (platform === "windows") return;
  await writePrivateFile(lockOf(path), JSON.stringify({ ...ownIdentity(), inode }));
}

/** Renews the lock. */
async function show({ path }: Held): Promise<void> {
  const now = new Date();
  if (platform !== "windows") await utimes(lockOf(path), now, now);
}

/**
 * @param former the socket of an editor that has ended or hangs
 * @throws IdewireError `port-in-use` when a program listens there, `file-system` when it is no socket
 */
async function demandFree(path: string, former: unknown): Promise<void> {
  const facts = platform === "windows" ? undefined : await lstat(path).catch(() => undefined);
  if (facts !== undefined && facts.ino === former) return;
  if (await placeAnswers({ socketPath: path })) {
    const text = `another program listens at ${path}, and is asked in place of this editor; end it to be asked`;
    throw new IdewireError("port-in-use", text);
  }
  if (facts === undefined || facts.isSocket()) return;
  throw new IdewireError("file-system", `${path} is no socket; remove it`);
}

async function inodeOf(path: string): Promise<number> {
  if (platform === "windows") return 0;
  try {
    return (await lstat(path)).ino;
  } catch (error) {
    throw fileSystemError("find", path, error);
  }
}

/** Whether the socket is still the one at its place: a program may have put another there, or removed it. */
function isOurs({ path, inode }: Held): boolean {
  if (platform === "windows") return true;
  return inodeNow(path) === inode;
}
