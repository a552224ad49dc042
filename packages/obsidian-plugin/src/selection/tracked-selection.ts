import type { SelectionRange } from "@idewire/core";

/** A file, as Obsidian renames it in place. */
export interface TrackedFile {
  readonly path: string;
}

/** What the person looks at, and what is selected there. */
export interface TrackedSelection {
  readonly file: TrackedFile;
  /** The editor or view it is in: one of two panes of the same note. */
  readonly origin: object;
  /** Whether text is selected, rather than just a cursor placed. */
  readonly isSelected: boolean;
  /** Differs between two states; compared instead of their texts. */
  readonly place: string;
  /** Reads the text; a long one takes a moment. */
  readonly read: () => { readonly ranges: readonly SelectionRange[]; readonly primary: number };
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
