import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { joinText, layOut, withEnding } from "@idewire/codemirror";
import { type PosixPath, toNativePath } from "@idewire/core";

/** What is at the path of a proposal now. */
export type CurrentText =
  | {
      readonly kind: "text";
      /** The text of an open editor, saved or not, with the line endings of the file. */
      readonly text: string;
      /** The text on disk, if it differs. */
      readonly saved?: string;
    }
  | { readonly kind: "missing" }
  /** A folder, a binary file, one that is too large, or one that may not be read. */
  | { readonly kind: "unreadable" };

/** The largest file that is read as text. */
const MAX_BYTES = 16 * 1024 * 1024;

const SNIFFED_BYTES = 8192;

/**
 * Reads the text of a file inside or outside the vault: from an open editor, otherwise from disk.
 * @param shownText the text in an open editor of the file
 */
export async function readCurrentText(
  path: PosixPath,
  shownText: (path: PosixPath) => string | undefined,
): Promise<CurrentText> {
  const saved = await readSaved(path);
  const shown = shownText(path);
  if (shown === undefined || saved.kind === "unreadable") return saved;
  if (saved.kind === "missing") return shown === "" ? saved : { kind: "text", text: shown };
  const file = layOut(saved.text);
  if (layOut(shown).lines.join("\n") === file.lines.join("\n")) return saved;
  const text = joinText({ ...withEnding(layOut(shown), file.ending ?? "\n"), bom: file.bom });
  return { kind: "text", text, saved: saved.text };
}

export function isSameText(a: CurrentText, b: CurrentText): boolean {
  if (a.kind !== "text" || b.kind !== "text") return a.kind === b.kind;
  return a.text === b.text;
}

/** Not through the vault, which hides byte order marks, dot folders and everything outside. */
async function readSaved(path: PosixPath): Promise<CurrentText> {
  const native = toNativePath(path, process.platform === "win32" ? "windows" : "posix");
  try {
    const file = await open(native, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > MAX_BYTES) return { kind: "unreadable" };
      return decode(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    return { kind: "unreadable" };
  }
}

function decode(bytes: Uint8Array): CurrentText {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { kind: "unreadable" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: "text", text };
  } catch {
    return { kind: "unreadable" };
  }
}
