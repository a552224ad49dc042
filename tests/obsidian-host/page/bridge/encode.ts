import { Buffer } from "buffer";
import type { Answer, WireError } from "../../wire.ts";

/** Bytes become base64 in JSON; everything else is unchanged. */
export function encode(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
    return { $bytes: bytes.toString("base64") };
  }
  if (value instanceof ArrayBuffer) return encode(new Uint8Array(value));
  if (value instanceof URL) return decodeURIComponent(value.pathname);
  return value;
}

export function decodeBytes(base64: string): Buffer {
  return Buffer.from(base64, "base64");
}

/** The value of an answer, with bytes, stats and directory entries in Node's types. */
export function unwrap(answer: Answer): unknown {
  if (!answer.ok) throw toError(answer.error);
  return decode(answer.value);
}

export function toError(wire: WireError): Error {
  const { name, message, ...facts } = wire;
  const error = new Error(message);
  if (name !== "Error") error.name = name;
  return Object.assign(error, facts);
}

function decode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decode);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  if ("$bytes" in value) return decodeBytes(String(value.$bytes));
  if ("$stats" in value) return new Stats(value.$stats as StatsFacts);
  if ("$entry" in value) return new Entry(value.$entry as EntryFacts);
  return value;
}

class Kind {
  readonly #kind: string;
  constructor(kind: string) {
    this.#kind = kind;
  }
  isFile(): boolean {
    return this.#kind === "file";
  }
  isDirectory(): boolean {
    return this.#kind === "directory";
  }
  isSymbolicLink(): boolean {
    return this.#kind === "link";
  }
}

interface StatsFacts {
  readonly kind: string;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly atimeMs: number;
  readonly birthtimeMs: number;
}

class Stats extends Kind {
  readonly mtime: Date;
  readonly ctime: Date;
  readonly atime: Date;
  readonly birthtime: Date;
  constructor({ kind, ...numbers }: StatsFacts) {
    super(kind);
    Object.assign(this, numbers);
    this.mtime = new Date(numbers.mtimeMs);
    this.ctime = new Date(numbers.ctimeMs);
    this.atime = new Date(numbers.atimeMs);
    this.birthtime = new Date(numbers.birthtimeMs);
  }
}

interface EntryFacts {
  readonly kind: string;
  readonly name: string;
  readonly parentPath: string;
}

class Entry extends Kind {
  readonly name: string;
  readonly parentPath: string;
  readonly path: string;
  constructor({ kind, name, parentPath }: EntryFacts) {
    super(kind);
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
  }
}
