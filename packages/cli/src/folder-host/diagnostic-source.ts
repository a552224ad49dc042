import type { Diagnostic, PosixPath } from "@idewire/core";

/** Finds the diagnostics of a file's text. */
export interface DiagnosticSource {
  /** The `source` of its diagnostics. */
  readonly name: string;
  /** Longer texts, in UTF-16 units, are not checked; 1 MiB when left out. */
  readonly maxLength?: number;
  /** Whether it checks this file. */
  accepts(path: PosixPath): boolean;
  check(path: PosixPath, text: string, files: FileLookup): Promise<readonly Diagnostic[]>;
}

/** Access of a source to other files of the workspace. */
export interface FileLookup {
  /** The workspace folder. */
  readonly folder: PosixPath;
  /** Whether a file or directory exists; always true outside the folder, so that nothing about it is disclosed. */
  exists(path: PosixPath): Promise<boolean>;
  /**
   * The text, unsaved text first.
   * @throws ToolFailure when it is outside, missing, or not a text
   */
  read(path: PosixPath): Promise<string>;
}
