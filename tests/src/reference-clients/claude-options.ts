import type { ClaudeEnv } from "./claude-discovery.ts";
import type { PermissionMode } from "./claude-edit.ts";
import type { ClaudeVersion } from "./claude-profile.ts";

export type Leniency = boolean | "all but folders";

export interface ClaudeClientOptions {
  readonly env: ClaudeEnv;
  readonly cwd: string;
  /** The flag `--ide`; on by default. */
  readonly ide?: boolean;
  /** Print mode, `-p`. */
  readonly print?: boolean;
  readonly settings?: {
    readonly autoConnectIde?: boolean;
    readonly diffTool?: "auto" | "terminal";
  };
  readonly permissionMode?: PermissionMode;
  readonly version?: ClaudeVersion;
  readonly pid?: number;
  /** The real client looks once a second for 30 s. */
  readonly pollMs?: number;
  readonly pollForMs?: number;
  /** Scales the waits of 1, 2, 4 and 8 s between reconnections. */
  readonly retryFactor?: number;
  /** More attempts than the real client's five, for an editor that restarts slowly. */
  readonly moreTries?: number;
  /** Of the upgrade; the real client waits 30 s. */
  readonly connectTimeoutMs?: number;
  /**
   * Timing of the server is not tested: its answers have twenty times the real client's limits, and frames read
   * after the deaf window count, even if a busy machine delayed them. Or lenient except to the answers for the
   * whole folder.
   */
  readonly lenient?: Leniency;
  /** After an answer in the terminal the real client calls close_tab once or twice. */
  readonly terminalCloseTabs?: 1 | 2;
}

/** The context of a prompt for the model, and the line shown under it. */
export interface PromptResult {
  readonly typed: string;
  readonly badge: string | undefined;
  readonly role: "system" | "user";
  readonly context: string | undefined;
  /** The server's initialize result. */
  readonly instructions: string;
  readonly newDiagnostics: string | undefined;
  /** The texts of the mentioned files or lines, read by the client. */
  readonly attachments: readonly string[];
}
