import type { Diagnostic, PosixPath } from "@idewire/core";

/** Finds what is wrong with a file's text. */
export interface DiagnosticSource {
  /** Stands in `source` of what it finds. */
  readonly name: string;
  /** Whether it has a say about this file. */
  accepts(path: PosixPath): boolean;
  check(path: PosixPath, text: string, files: FileLookup): Promise<readonly Diagnostic[]>;
}

/** What a source may ask about other files of the workspace. */
export interface FileLookup {
  exists(path: PosixPath): Promise<boolean>;
  read(path: PosixPath): Promise<string>;
}
