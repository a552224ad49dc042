import { defaultSharePolicy, type PosixPath, type SelectionRange } from "@idewire/core";
import type { VaultPaths } from "../vault-paths.ts";

/** A file, as Obsidian renames it in place. */
export interface TrackedFile {
  readonly path: string;
}

/** The document that the person views, and its selection. */
export interface TrackedSelection {
  readonly file: TrackedFile;
  /** The canvas, if the file is shown in one of its cards. */
  readonly canvas?: TrackedFile;
  /** Whether it is a page in the web viewer: the path of `file` is then its address. */
  readonly isPage?: true;
  /** The editor or view it is in: one of two panes of the same note. */
  readonly origin: object;
  /** Whether text is selected, rather than just a cursor placed. */
  readonly isSelected: boolean;
  /** Differs between two states; compared instead of their texts. */
  readonly place: string;
  /** Reads the text; a long one takes a moment. */
  readonly read: () => { readonly ranges: readonly SelectionRange[]; readonly primary: number };
}

/** The file of the tab that shows it. */
export function tabFileOf({ file, canvas }: TrackedSelection): TrackedFile {
  return canvas ?? file;
}

/** The paths that must not be excluded for it to be shared; that of its file is first. */
export function pathsOf(
  { file, canvas, isPage }: TrackedSelection,
  paths: Pick<VaultPaths, "toAbsolute">,
): readonly [PosixPath, ...PosixPath[]] {
  if (isPage === true) return [file.path as PosixPath];
  const files = canvas === undefined ? [] : [canvas];
  return [paths.toAbsolute(file.path), ...files.map(({ path }) => paths.toAbsolute(path))];
}

const start = { line: 0, character: 0 };

/** A file without a known position: a canvas, an image, a note in reading mode. */
export function wholeFile(file: TrackedFile, origin: object): TrackedSelection {
  return {
    file,
    origin,
    isSelected: false,
    place: "",
    read: () => ({ ranges: [{ start, end: start, text: "" }], primary: 0 }),
  };
}

/** Words without known lines in the file. */
export function wordsIn(file: TrackedFile, origin: object, words: string): TrackedSelection {
  if (words.trim() === "") return wholeFile(file, origin);
  return {
    file,
    origin,
    isSelected: true,
    place: words,
    read: () => ({ ranges: [rangeOfWords(words)], primary: 0 }),
  };
}

/** Agents count lines by the range, so it has as many as the words. */
function rangeOfWords(words: string): SelectionRange {
  const lines = words.split("\n");
  const end = { line: lines.length - 1, character: Math.max(1, lines.at(-1)?.length ?? 0) };
  return { start, end, text: words.slice(0, defaultSharePolicy.maxTextLength + 1) };
}
