import { boot, channel } from "../bridge/channel.ts";

/** A file that is open on the Node side. */
class FileHandle {
  readonly #id: number;
  readonly fd: number;

  constructor(id: number, fd: number) {
    this.#id = id;
    this.fd = fd;
  }

  stat(): Promise<unknown> {
    return this.#do("stat");
  }

  readFile(options?: unknown): Promise<unknown> {
    return this.#do("readFile", options);
  }

  writeFile(data: unknown, options?: unknown): Promise<unknown> {
    return this.#do("writeFile", data, options);
  }

  sync(): Promise<unknown> {
    return this.#do("sync");
  }

  utimes(...times: unknown[]): Promise<unknown> {
    return this.#do("utimes", ...times);
  }

  close(): Promise<unknown> {
    return this.#do("close");
  }

  #do(name: string, ...args: unknown[]): Promise<unknown> {
    return channel.call("handle", name, this.#id, ...args);
  }
}

const promiseNames = [
  "access appendFile chmod chown copyFile cp lchown link lstat lutimes mkdir mkdtemp open",
  "readFile readdir readlink realpath rename rm rmdir stat statfs symlink truncate unlink utimes",
  "writeFile",
].flatMap((line) => line.split(" "));

const syncNames = [
  "accessSync appendFileSync chmodSync closeSync copyFileSync cpSync existsSync fstatSync",
  "lstatSync mkdirSync mkdtempSync openSync readFileSync readdirSync readlinkSync realpathSync",
  "renameSync rmSync rmdirSync",
  "statSync symlinkSync truncateSync unlinkSync utimesSync writeFileSync",
].flatMap((line) => line.split(" "));

const promise =
  (name: string) =>
  async (...args: unknown[]) => {
    const value = await channel.call("fs", name, ...args);
    const isHandle = typeof value === "object" && value !== null && "$handle" in value;
    if (!isHandle) return value;
    return new FileHandle(Number(value.$handle), Number(Reflect.get(value, "fd")));
  };

const sync =
  (name: string) =>
  (...args: unknown[]) =>
    channel.callSync("fsSync", name, ...args);

const named = <T>(names: readonly string[], make: (name: string) => T) =>
  Object.fromEntries(names.map((name) => [name, make(name)]));

export const fsPromises: Record<string, unknown> = {
  ...named(promiseNames, promise),
  constants: boot.fsConstants,
};

export const fs: Record<string, unknown> = {
  ...named(syncNames, sync),
  realpathSync: Object.assign(sync("realpathSync"), { native: sync("realpathSync") }),
  promises: fsPromises,
  constants: boot.fsConstants,
};
