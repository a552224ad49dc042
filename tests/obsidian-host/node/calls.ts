import { createHash } from "node:crypto";
import fs, { type Dirent, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Answer, Call, WireBytes, WireError } from "../wire.ts";

/** An error of the disk: the file system is read-only, full, or owned by another user. */
export interface DiskFault {
  /** Paths at and below this one. */
  readonly under: string;
  readonly code: "EROFS" | "EACCES" | "ENOSPC";
}

const writing =
  /^(writeFile|appendFile|mkdir|rm|rmdir|unlink|rename|copyFile|utimes|chmod|truncate|mkdtemp|symlink|link)/;

type Function_ = (...args: unknown[]) => unknown;

/** Runs what a page needs from Node: files, processes, digests. One per page. */
export class Calls {
  readonly faults: DiskFault[] = [];
  readonly #handles = new Map<number, FileHandle>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #others: Partial<Record<Call["op"], Function_>>;
  #lastHandle = 0;

  /** @param others what the host of a page does beyond files */
  constructor(others: Partial<Record<Call["op"], Function_>>) {
    this.#others = others;
  }

  get openFiles(): number {
    return this.#handles.size;
  }

  async answer(call: Call): Promise<Answer> {
    const answer = this.#answer(call);
    this.#underWay.add(answer);
    await answer;
    this.#underWay.delete(answer);
    return answer;
  }

  /** Resolves once no call touches the disk any more. */
  async close(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    for (const handle of this.#handles.values()) await handle.close().catch(() => {});
    this.#handles.clear();
  }

  async #answer(call: Call): Promise<Answer> {
    try {
      return { ok: true, value: this.#encode(await this.#perform(call)) };
    } catch (error) {
      return { ok: false, error: toWireError(error) };
    }
  }

  #perform(call: Call): unknown {
    const args = call.args.map(decode);
    switch (call.op) {
      case "fs":
        this.#refuse(call.name, args);
        return member(fs.promises, call.name)(...args);
      case "fsSync":
        this.#refuse(call.name, args);
        return member(fs, call.name)(...args);
      case "handle":
        return this.#useHandle(call.name, args);
      case "kill":
        return process.kill(Number(args[0]), args[1] as NodeJS.Signals);
      case "hash":
        return createHash(call.name)
          .update(args[0] as Uint8Array)
          .digest();
      default: {
        const other = this.#others[call.op];
        if (other === undefined) throw new Error(`${call.op} is not in this host`);
        return other(call.name, ...args);
      }
    }
  }

  #useHandle(name: string, [id, ...args]: unknown[]): unknown {
    const handle = this.#handles.get(Number(id));
    if (handle === undefined) throw Object.assign(new Error("file closed"), { code: "EBADF" });
    if (name === "close") this.#handles.delete(Number(id));
    return member(handle, name)(...args);
  }

  #refuse(name: string, args: readonly unknown[]): void {
    const flags = name.startsWith("open") ? args[1] : undefined;
    const writes =
      typeof flags === "number"
        ? (flags & 3) !== 0
        : /[wa+]/.test(typeof flags === "string" ? flags : "");
    if (!writes && !writing.test(name)) return;
    const paths = args.filter((value): value is string => typeof value === "string");
    for (const { under, code } of this.faults) {
      const path = paths.find(
        (candidate) => candidate === under || candidate.startsWith(`${under}/`),
      );
      if (path === undefined) continue;
      const syscall = name.replace(/Sync$/, "");
      const message = `${code}: ${faultTexts[code]}, ${syscall} '${path}'`;
      throw Object.assign(new Error(message), { code, syscall, path });
    }
  }

  #encode(value: unknown): unknown {
    if (value instanceof Uint8Array) return encodeBytes(value);
    if (Array.isArray(value)) return value.map((each) => this.#encode(each));
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof fs.Stats) return encodeStats(value);
    if (value instanceof fs.Dirent) return encodeEntry(value);
    if ("fd" in value && "readFile" in value) {
      this.#lastHandle += 1;
      this.#handles.set(this.#lastHandle, value as FileHandle);
      return { $handle: this.#lastHandle, fd: (value as FileHandle).fd };
    }
    return value;
  }
}

const faultTexts = {
  EROFS: "read-only file system",
  EACCES: "permission denied",
  ENOSPC: "no space left on device",
} as const;

export function toWireError(error: unknown): WireError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, code, errno, syscall, path } = error as NodeJS.ErrnoException;
  return { name, message, code, errno, syscall, path };
}

function member(object: object, name: string): Function_ {
  const found: unknown = Reflect.get(object, name);
  if (typeof found !== "function") throw new Error(`fs.${name} is not in this host`);
  return found.bind(object) as Function_;
}

function encodeBytes(bytes: Uint8Array): WireBytes {
  return { $bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64") };
}

function decode(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "$bytes" in value) {
    return Buffer.from(String(value.$bytes), "base64");
  }
  return value ?? undefined;
}

function kindOf(entry: Stats | Dirent): string {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

function encodeStats(stats: Stats) {
  const { dev, ino, mode, nlink, uid, gid, size, atimeMs, mtimeMs, ctimeMs, birthtimeMs } = stats;
  const numbers = { dev, ino, mode, nlink, uid, gid, size, atimeMs, mtimeMs, ctimeMs, birthtimeMs };
  return { $stats: { kind: kindOf(stats), ...numbers } };
}

function encodeEntry(entry: Dirent) {
  return { $entry: { kind: kindOf(entry), name: entry.name, parentPath: entry.parentPath } };
}
