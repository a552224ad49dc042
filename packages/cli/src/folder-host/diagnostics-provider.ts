import type { Diagnostic, PosixPath } from "@idewire/core";

/** The text of a file, as a diagnostics provider gets it. */
export interface ProviderText {
  readonly text: string;
  /** Whether it is the text on disk; otherwise it is unsaved. */
  readonly isSaved: boolean;
}

/** A diagnostics provider's access to the folder, and the way to report its findings. Paths are real ones. */
export interface ProviderFolder {
  /** The workspace folder. */
  readonly folder: PosixPath;
  /** Unsaved text first; undefined for a file that is missing, outside, secret, not a text or above 1 MiB. */
  read(path: PosixPath): Promise<ProviderText | undefined>;
  /** Whether the file is open, or an agent has asked about it. */
  isWanted(path: PosixPath): boolean;
  /** Reports that the diagnostics of these files have changed. */
  changed(paths: readonly PosixPath[]): void;
}

/**
 * Finds diagnostics of a folder's files asynchronously, such as a language server or a compiler. It reports and
 * handles its own failures: no member throws.
 */
export interface DiagnosticsProvider {
  /** Called once, before all others. */
  open(folder: ProviderFolder): void;
  /** These files were opened or asked about; they may not exist yet. */
  want(paths: readonly PosixPath[]): void;
  /** These files or directories, or their unsaved texts, have changed. */
  filesChanged(paths: readonly PosixPath[]): void;
  /** Settles when its diagnostics are about the current texts, or when waiting is no longer worthwhile. */
  settled(): Promise<void>;
  /** The diagnostics of a file, without those of an older text. */
  of(path: PosixPath): readonly Diagnostic[];
  /** Terminates everything that it has started. */
  close(): Promise<void>;
}
