import type { Extension } from "@codemirror/state";
import type { Command } from "@codemirror/view";
import type { EditorHost, PendingDiffs, PosixPath } from "@idewire/core";
import { optionNames } from "@idewire/core/internal";
import type { Review } from "./review.ts";

/** The page's side of a host: names, folders and callbacks. */
export interface CodeMirrorHostOptions {
  /** The editor's name for agents; `CodeMirror` by default. */
  readonly name?: string;
  readonly version?: string;
  /** The real absolute paths of the workspace folders, with forward slashes. */
  readonly folders: readonly string[];
  /**
   * Reads a file that no editor shows, for agents: it must follow links and refuse files outside the folders.
   * @returns its text; undefined when there is no such file
   */
  readonly read: (path: PosixPath) => Promise<string | undefined>;
  /** Shows a file in an editor with the extension `file(path, text)`, and resolves once it is shown. */
  readonly open?: (path: PosixPath) => Promise<void> | void;
  /** Writes the text of an open file; without it agents cannot save. */
  readonly save?: (path: PosixPath, text: string) => Promise<void>;
  /** Shows a diff; without it agents ask in their terminals. */
  readonly showReview?: (review: Review) => void;
  /** The language of a file as in LSP; `plaintext` by default. */
  readonly languageOf?: (path: PosixPath) => string;
}

/** An `EditorHost` over the CodeMirror editors of a page. */
export interface CodeMirrorHost {
  /** For `serveHost`, or `listenIde` in the same process. */
  readonly host: EditorHost;
  /**
   * The extension of an editor that shows a file: `EditorState.create({ doc: text, extensions: [file(path, text)] })`.
   * @param text the text as it is on disk; its line endings survive edits
   * @throws IdewireError `invalid-argument` for a path outside all of the folders
   */
  file(path: string, text: string): Extension;
  /** The pending diffs: `shown`, `get(id)`, and the events `diffOpened`, `diffChanged`, `diffClosed`. */
  readonly diffs: PendingDiffs<Review>;
  /** Refers the agents to the selected lines, or to the whole file; for a key binding. */
  readonly mention: Command;
  /**
   * Call this when another program, such as an agent, has written an open file: its editors then show the new
   * text.
   * @returns false when there is unsaved text, which is kept
   */
  fileChanged(path: string, text: string): boolean;
  /** Cancels the pending diffs, and later ones at once. */
  close(): void;
}

/** The names of {@link CodeMirrorHostOptions}. */
export const hostOptionNames: ReadonlySet<string> = optionNames<CodeMirrorHostOptions>({
  name: true,
  version: true,
  folders: true,
  read: true,
  open: true,
  save: true,
  showReview: true,
  languageOf: true,
});
