import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { joinText, layOut, withEnding } from "@idewire/codemirror";
import { type PosixPath, toNativePath } from "@idewire/core";
import { decodeFile } from "@idewire/core/internal";
import { mergeTexts } from "@idewire/core/internal/hunks";

/** A text that a proposal can be compared with. */
export type CurrentText =
  /** With the line endings of the file. */
  | {
      readonly kind: "text";
      readonly text: string;
      /** How many bytes are lost when the text is written; undefined for UTF-8, 0 for UTF-16. */
      readonly lostBytes?: number;
      /** In how many places two versions with different words were merged; 0 if it is left out. */
      readonly overlaps?: number;
    }
  | { readonly kind: "missing" }
  /** A folder, a binary file, one that is too large, or one that may not be read. */
  | { readonly kind: "unreadable" };

/** The current state of the path of a proposal. */
export interface FileTexts {
  readonly saved: CurrentText;
  /** The text of an open editor, with the line endings of the file; `saved` if there is none. */
  readonly shown: CurrentText;
}

/** The largest file that is read as text. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file inside or outside the vault, on disk and in an open editor.
 * @param shownText the text in an open editor of the file
 */
export async function readFileTexts(
  path: PosixPath,
  shownText: (path: PosixPath) => string | undefined,
): Promise<FileTexts> {
  const saved = await readSaved(path);
  const text = shownText(path);
  if (text === undefined || saved.kind === "unreadable") return { saved, shown: saved };
  if (saved.kind === "missing") {
    return { saved, shown: text === "" ? saved : { kind: "text", text } };
  }
  const file = layOut(saved.text);
  if (layOut(text).lines.join("\n") === file.lines.join("\n")) return { saved, shown: saved };
  const laidOut = { ...withEnding(layOut(text), file.ending ?? "\n"), bom: file.bom };
  return { saved, shown: { kind: "text", text: joinText(laidOut) } };
}

export function isSameText(a: CurrentText, b: CurrentText): boolean {
  if (a.kind !== "text" || b.kind !== "text") return a.kind === b.kind;
  return a.text === b.text;
}

/**
 * The text that a proposal has to be compared with after a change: the side that changed, or both merged. Where
 * both changed the same words, it has those of the editor.
 * @param before the state when `current` was chosen
 */
export function newestText(before: FileTexts, now: FileTexts, current: CurrentText): CurrentText {
  const isSaved = isSameText(now.saved, before.saved);
  const isShown = isSameText(now.shown, before.shown);
  if (isSaved && isShown) return current;
  if (isSaved) return now.shown;
  if (isShown || isSameText(now.saved, now.shown)) return now.saved;
  const [base, mine, theirs] = [before.saved, now.saved, now.shown];
  if (base.kind !== "text" || mine.kind !== "text" || theirs.kind !== "text") return theirs;
  const { text, overlaps } = mergeTexts(base.text, mine.text, theirs.text);
  return { kind: "text", text, ...(overlaps.length > 0 && { overlaps: overlaps.length }) };
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
  const decoded = decodeFile(bytes);
  if (decoded === undefined) return { kind: "unreadable" };
  const { text, lostBytes, isUtf8 } = decoded;
  return { kind: "text", text, ...(!isUtf8 && { lostBytes }) };
}
