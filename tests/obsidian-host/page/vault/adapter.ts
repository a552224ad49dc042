import { boot, channel } from "../bridge/channel.ts";
import { normalizePath, parentOf } from "./paths.ts";

interface Facts {
  isFile(): boolean;
  isDirectory(): boolean;
  readonly ctimeMs: number;
  readonly mtimeMs: number;
  readonly size: number;
}

interface WriteOptions {
  readonly ctime?: number;
  readonly mtime?: number;
}

export interface Stat {
  readonly type: "file" | "folder";
  readonly ctime: number;
  readonly mtime: number;
  readonly size: number;
}

/** The vault's folder on disk. */
export class FileSystemAdapter {
  /** Called with each path written through this adapter, before the promise of the write resolves. */
  onWritten: (path: string) => Promise<void> = async () => {};
  readonly #queues = new Map<string, Promise<unknown>>();

  getBasePath(): string {
    return boot.vaultPath;
  }

  getFullPath(path: string): string {
    const normal = normalizePath(path);
    return normal === "/" ? boot.vaultPath : `${boot.vaultPath}/${normal}`;
  }

  async exists(path: string): Promise<boolean> {
    return (await this.stat(path)) !== null;
  }

  async stat(path: string): Promise<Stat | null> {
    try {
      const facts = (await channel.call("fs", "stat", this.getFullPath(path))) as Facts;
      const { ctimeMs: ctime, mtimeMs: mtime, size } = facts;
      return { type: facts.isDirectory() ? "folder" : "file", ctime, mtime, size };
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return null;
      if ((error as { code?: string }).code === "ENOTDIR") return null;
      throw error;
    }
  }

  async read(path: string): Promise<string> {
    return (await channel.call("fs", "readFile", this.getFullPath(path), "utf8")) as string;
  }

  write(path: string, data: string, options?: WriteOptions): Promise<void> {
    return this.#change(path, () => this.#put("writeFile", path, data, options));
  }

  /** Reads, changes and writes atomically. */
  async process(
    path: string,
    change: (data: string) => string,
    options?: WriteOptions,
  ): Promise<string> {
    let text = "";
    await this.#change(path, async () => {
      text = change(await this.read(path));
      await this.#put("writeFile", path, text, options);
    });
    return text;
  }

  mkdir(path: string): Promise<void> {
    return this.#change(path, () =>
      channel.call("fs", "mkdir", this.getFullPath(path), { recursive: true }),
    );
  }

  async trashLocal(path: string): Promise<void> {
    await channel.call("fs", "mkdir", this.getFullPath(".trash"), { recursive: true });
    const name = path.slice(path.lastIndexOf("/") + 1);
    await this.rename(path, `.trash/${name}`);
  }

  async rename(path: string, next: string): Promise<void> {
    if (await this.exists(next)) throw new Error("Destination file already exists!");
    await channel.call("fs", "rename", this.getFullPath(path), this.getFullPath(next));
  }

  async #put(name: string, path: string, data: unknown, options?: WriteOptions): Promise<void> {
    const full = this.getFullPath(path);
    const folder = this.getFullPath(parentOf(normalizePath(path)));
    await channel.call("fs", "mkdir", folder, { recursive: true });
    await channel.call("fs", name, full, data);
    if (options?.mtime === undefined) return;
    const seconds = options.mtime / 1000;
    await channel.call("fs", "utimes", full, seconds, seconds);
  }

  /** Serializes the writes of a path. */
  #change(path: string, act: () => Promise<unknown>): Promise<void> {
    const normal = normalizePath(path);
    const before = this.#queues.get(normal) ?? Promise.resolve();
    const done = before.catch(() => {}).then(act);
    this.#queues.set(normal, done);
    return done.then(() => this.onWritten(normal));
  }
}
