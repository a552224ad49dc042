import type { ClaudeEnv } from "./claude-discovery.ts";
import type { PermissionMode } from "./claude-edit.ts";
import type { ClaudeVersion } from "./claude-profile.ts";

export interface ClaudeTwinOptions {
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
  /** Of the upgrade; the real client waits 30 s. */
  readonly connectTimeoutMs?: number;
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
