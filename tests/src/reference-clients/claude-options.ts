import type { ClaudeEnv } from "./claude-discovery.ts";
import type { PermissionMode } from "./claude-edit.ts";
import type { ClaudeVersion } from "./claude-profile.ts";

export type Leniency = boolean | "all but folders";

export interface ClaudeClientOptions {
  readonly env: ClaudeEnv;
  readonly cwd: string;
  /** The flag `--ide`; on unless said otherwise. */
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
  /** Scales the waits of 1, 2, 4 and 8 s between re-connects. */
  readonly retryFactor?: number;
  /** More tries than the real client's five, for an editor that is slow to start anew. */
  readonly moreTries?: number;
  /** Of the upgrade; the real client waits 30 s. */
  readonly connectTimeoutMs?: number;
  /**
   * The server is no subject of timing here: its answers have twenty times the real client's limits,
   * and what is read after the deaf window by the clock is heard, though a busy machine may have
   * kept it since. Or lenient to all but the answers for the whole folder.
   */
  readonly lenient?: Leniency;
  /** After an answer in the terminal the real client calls close_tab once or twice. */
  readonly terminalCloseTabs?: 1 | 2;
}

/** What a prompt brought to the model, and what the person saw under it. */
export interface PromptResult {
  readonly typed: string;
  readonly badge: string | undefined;
  readonly role: "system" | "user";
  readonly context: string | undefined;
  /** What the server said in its initialize result. */
  readonly instructions: string;
  readonly newDiagnostics: string | undefined;
  /** The texts of the mentioned files or lines, read by the client. */
  readonly attachments: readonly string[];
}
