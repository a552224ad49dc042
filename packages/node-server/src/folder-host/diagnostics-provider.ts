import type { Diagnostic, PosixPath } from "@idewire/core";

/** The text of a file, as a feed gets it. */
export interface ProviderText {
  readonly text: string;
  /** It is what the file has; otherwise it is unsaved. */
  readonly isSaved: boolean;
}

/** What a feed may ask of the folder, and how it tells of what it has found. Paths are real ones. */
export interface ProviderFolder {
  /** The workspace folder. */
  readonly folder: PosixPath;
  /** Unsaved text first; undefined for what is missing, outside, a secret, no text or above 1 MiB. */
  read(path: PosixPath): Promise<ProviderText | undefined>;
  /** Whether a person has the file open, or somebody asked about it. */
  isWanted(path: PosixPath): boolean;
  /** What the feed says of these files is something else now. */
  changed(paths: readonly PosixPath[]): void;
}

/**
 * Something that finds out by itself, and in its own time, what is wrong with files of the folder: a
 * language server, a compiler. What fails in it is its own to mend and to tell: no member throws.
 */
export interface DiagnosticsProvider {
  /** Called once, before all others. */
  open(folder: ProviderFolder): void;
  /** Somebody opened these files or asks about them; they may not be there yet. */
  want(paths: readonly PosixPath[]): void;
  /** Something happened to these files or directories, or to their unsaved text. */
  filesChanged(paths: readonly PosixPath[]): void;
  /** Settles when what it says is about the texts as they are, or nobody should wait any longer. */
  settled(): Promise<void>;
  /** What is wrong with a file. What was found in an older text of it is left out. */
  of(path: PosixPath): readonly Diagnostic[];
  /** Ends all that it has started. */
  close(): Promise<void>;
}
