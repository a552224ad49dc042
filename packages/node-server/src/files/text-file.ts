import type { FileHandle } from "node:fs/promises";
import { type DecodedFile, decodeFile } from "@idewire/core/internal/base";
import { codeOf } from "../process/error-code.ts";

/** The largest file that is read as text. */
export const MAX_TEXT_BYTES: number = 16 * 1024 * 1024;

/** How much of a large file is read to detect whether it is text. */
const SNIFFED_BYTES = 8 * 1024;

const BOM = "\uFEFF";

/** Why a file is not read as text. */
export type RefusedRule =
  | "directory"
  | "not-regular"
  | "binary"
  | "too-large"
  | "unreadable"
  /** Its name is a link to another file. */
  | "elsewhere";

/** The part of a file's `Stats` that its replacement preserves. */
export interface FileFacts {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The result of reading a text file. */
export type TextFile =
  | {
      readonly kind: "text";
      /** Without a byte order mark. */
      readonly text: string;
      readonly bom: boolean;
      readonly stats: FileFacts;
    }
  | { readonly kind: "missing" }
  | RefusedFile;

/** A file that is not text, or cannot be read. */
export interface RefusedFile {
  readonly kind: "refused";
  readonly rule: RefusedRule;
  /** Continues a sentence after the path: "is a directory, not a file". */
  readonly why: string;
  /** The text of a file in another encoding, for display only: it would be written back in UTF-8. */
  readonly decoded?: DecodedFile;
}

/**
 * Reads an open regular file as UTF-8 text; never waits for a pipe or a device.
 * @internal
 */
export async function readText(file: FileHandle, maxBytes: number): Promise<TextFile> {
  const stats = await file.stat();
  if (stats.isDirectory()) return refused("directory", "is a directory, not a file");
  if (!stats.isFile()) return refused("not-regular", "is not a regular file");
  if (stats.size > maxBytes) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    if (decodeFile(buffer.subarray(0, bytesRead)) === undefined) return binary();
    return refused("too-large", `has ${stats.size} bytes, more than ${maxBytes}`);
  }
  const decoded = decodeFile(await file.readFile());
  if (decoded === undefined) return binary();
  if (!decoded.isUtf8) return { ...binary(), decoded };
  const { text } = decoded;
  const bom = text.startsWith(BOM);
  return { kind: "text", text: bom ? text.slice(BOM.length) : text, bom, stats };
}

function binary(): RefusedFile {
  return refused("binary", "is a binary file, not UTF-8 text");
}

function refused(rule: RefusedRule, why: string): RefusedFile {
  return { kind: "refused", rule, why };
}

/** The kind of a file that cannot be opened. */
export function toRefusal(error: unknown): TextFile {
  const code = codeOf(error);
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
    case "ELOOP":
      return { kind: "missing" };
    case "EISDIR":
      return refused("directory", "is a directory, not a file");
    case "ENXIO":
      return refused("not-regular", "is not a regular file");
    case "ESTALE":
      return refused("unreadable", "leads elsewhere each time it is looked at");
    default:
      return refused("unreadable", `cannot be read (${code})`);
  }
}
