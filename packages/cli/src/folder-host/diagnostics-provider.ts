import type { Diagnostic, PosixPath } from "@idewire/core";

/** The text of a file, as a diagnostics provider gets it. */
export interface ProviderText {
  readonly text: string;
  /** Whether it is the text of the file; otherwise it is unsaved. */
  readonly isSaved: boolean;
}

/** What a diagnostics provider may ask of the folder, and how it reports findings. Paths are real ones. */
export interface ProviderFolder {
  /** The workspace folder. */
  readonly folder: PosixPath;
  /** Unsaved text first; undefined for what is missing, outside, a secret, no text or above 1 MiB. */
  read(path: PosixPath): Promise<ProviderText | undefined>;
  /** Whether the person has the file open, or an agent has asked about it. */
  isWanted(path: PosixPath): boolean;
  /** Reports that the diagnostics of these files have changed. */
  changed(paths: readonly PosixPath[]): void;
}

/**
 * Finds out, in its own time, what is wrong with files of the folder: a
 * language server, a compiler. It reports and handles its own failures: no member throws.
 */
export interface DiagnosticsProvider {
  /** Called once, before all others. */
  open(folder: ProviderFolder): void;
  /** Somebody opened these files or asks about them; they may not be there yet. */
  want(paths: readonly PosixPath[]): void;
  /** Something happened to these files or directories, or to their unsaved text. */
  filesChanged(paths: readonly PosixPath[]): void;
  /** Settles when its diagnostics are about the current texts, or when waiting is no longer worthwhile. */
  settled(): Promise<void>;
  /** What is wrong with a file. What was found in an older text of it is left out. */
  of(path: PosixPath): readonly Diagnostic[];
  /** Ends all that it has started. */
  close(): Promise<void>;
}
