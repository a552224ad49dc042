import { type PosixPath, toNativePath } from "@idewire/core";
import { claudeCommand, shellQuote } from "@idewire/core/internal";
import { platform } from "../vault-paths.ts";

/** The command that starts Claude Code in the vault and connects it. */
export function connectCommand(root: PosixPath): string {
  // PowerShell is the default on Windows; older versions do not have `&&`.
  return `cd ${quoteFolder(root)}${platform === "windows" ? ";" : " &&"} ${claudeCommand}`;
}

/**
 * The command that adds the vault tools to Claude Code. It finds port and token by itself, so that no
 * secret ends up in a process list or in the shell's history.
 */
export function toolsCommand(root: PosixPath): string {
  return `claude mcp add vault -- idewire vault-tools --cwd ${quoteFolder(root)}`;
}

function quoteFolder(root: PosixPath): string {
  const folder = toNativePath(root, platform);
  return platform === "windows" ? quoteForPowerShell(folder) : shellQuote(folder);
}

/** Quotes any text as one PowerShell argument. */
export function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
