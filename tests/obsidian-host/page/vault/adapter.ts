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

type Bytes = ArrayBuffer;

/** The vault's folder on disk. */
export class FileSystemAdapter {
  /** Told of each path that was written through this adapter, before the write's promise resolves. */
  onWritten: (path: string) => Promise<void> = async () => {};
  readonly #queues = new Map<string, Promise<unknown>>();

  static async readLocalFile(path: string): Promise<Bytes> {
    return toArrayBuffer((await channel.call("fs", "readFile", path)) as Uint8Array);
  }

  static async mkdir(path: string): Promise<void> {
    await channel.call("fs", "mkdir", path, { recursive: true });
  }

  getName(): string {
    return boot.vaultName;
  }

  getBasePath(): string {
    return boot.vaultPath;
  }

  getFullPath(path: string): string {
    const normal = normalizePath(path);
    return normal === "/" ? boot.vaultPath : `${boot.vaultPath}/${normal}`;
  }

  getFilePath(path: string): string {
    return `file://${encodeURI(this.getFullPath(path))}`;
  }

  getResourcePath(path: string): string {
    return `app://local${encodeURI(this.getFullPath(path))}`;
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

  async list(path: string): Promise<{ files: string[]; folders: string[] }> {
    const options = { withFileTypes: true };
    const entries = await channel.call("fs", "readdir", this.getFullPath(path), options);
    const found = entries as (Facts & { readonly name: string })[];
    const prefix = normalizePath(path) === "/" ? "" : `${normalizePath(path)}/`;
    const named = (wanted: boolean) =>
      found.filter((entry) => entry.isDirectory() === wanted).map(({ name }) => prefix + name);
    return { files: named(false), folders: named(true) };
  }

  async read(path: string): Promise<string> {
    return (await channel.call("fs", "readFile", this.getFullPath(path), "utf8")) as string;
  }

  async readBinary(path: string): Promise<Bytes> {
    return FileSystemAdapter.readLocalFile(this.getFullPath(path));
  }

  write(path: string, data: string, options?: WriteOptions): Promise<void> {
    return this.#change(path, () => this.#put("writeFile", path, data, options));
  }

  writeBinary(path: string, data: Bytes, options?: WriteOptions): Promise<void> {
    return this.#change(path, () => this.#put("writeFile", path, new Uint8Array(data), options));
  }

  append(path: string, data: string, options?: WriteOptions): Promise<void> {
    return this.#change(path, () => this.#put("appendFile", path, data, options));
  }

  appendBinary(path: string, data: Bytes, options?: WriteOptions): Promise<void> {
    return this.#change(path, () => this.#put("appendFile", path, new Uint8Array(data), options));
  }

  /** Reads, changes and writes with nothing in between. */
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

  async trashSystem(): Promise<boolean> {
    return false;
  }

  async trashLocal(path: string): Promise<void> {
    await channel.call("fs", "mkdir", this.getFullPath(".trash"), { recursive: true });
    const name = path.slice(path.lastIndexOf("/") + 1);
    await this.rename(path, `.trash/${name}`);
  }

  rmdir(path: string, recursive: boolean): Promise<void> {
    return this.#change(path, () =>
      channel.call("fs", recursive ? "rm" : "rmdir", this.getFullPath(path), { recursive }),
    );
  }

  remove(path: string): Promise<void> {
    return this.#change(path, () => channel.call("fs", "unlink", this.getFullPath(path)));
  }

  async rename(path: string, next: string): Promise<void> {
    if (await this.exists(next)) throw new Error("Destination file already exists!");
    await channel.call("fs", "rename", this.getFullPath(path), this.getFullPath(next));
  }

  copy(path: string, next: string): Promise<void> {
    return this.#change(next, () =>
      channel.call("fs", "cp", this.getFullPath(path), this.getFullPath(next), { recursive: true }),
    );
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

  /** Writes of one path wait for each other. */
  #change(path: string, act: () => Promise<unknown>): Promise<void> {
    const normal = normalizePath(path);
    const before = this.#queues.get(normal) ?? Promise.resolve();
    const done = before.catch(() => {}).then(act);
    this.#queues.set(normal, done);
    return done.then(() => this.onWritten(normal));
  }
}

function toArrayBuffer(bytes: Uint8Array): Bytes {
  return bytes.slice().buffer as Bytes;
}
