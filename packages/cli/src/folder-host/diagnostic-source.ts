import type { Diagnostic, PosixPath } from "@idewire/core";

/** Finds what is wrong with a file's text. */
export interface DiagnosticSource {
  /** Stands in `source` of what it finds. */
  readonly name: string;
  /** Longer texts are left unchecked, in UTF-16 units; 1 MiB when left out. */
  readonly maxLength?: number;
  /** Whether it has a say about this file. */
  accepts(path: PosixPath): boolean;
  check(path: PosixPath, text: string, files: FileLookup): Promise<readonly Diagnostic[]>;
}

/** What a source may ask about other files of the workspace. */
export interface FileLookup {
  /** The workspace folder. */
  readonly folder: PosixPath;
  /** Whether a file or directory exists; always true outside the folder, about which nothing is disclosed. */
  exists(path: PosixPath): Promise<boolean>;
  /**
   * The text, unsaved text first.
   * @throws ToolFailure when it is outside, missing, or no text
   */
  read(path: PosixPath): Promise<string>;
}
