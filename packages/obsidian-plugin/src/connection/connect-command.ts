import { type PosixPath, shellQuote, toNativePath } from "@idewire/core";
import { platform } from "../vault-paths.ts";

/** What to type into a terminal, so that Claude Code starts in the vault and connects. */
export function connectCommand(root: PosixPath): string {
  // PowerShell is what a terminal of Windows opens, and knows no `&&` in its older versions.
  return `cd ${quoteFolder(root)}${platform === "windows" ? ";" : " &&"} claude --ide`;
}

/**
 * What to type into a terminal, once, so that Claude Code has the tools of the vault. The command in
 * it finds port and token by itself: a list of processes and a shell's history hold no secret.
 */
export function toolsCommand(root: PosixPath): string {
  return `claude mcp add vault -- idewire mcp --cwd ${quoteFolder(root)}`;
}

function quoteFolder(root: PosixPath): string {
  const folder = toNativePath(root, platform);
  return platform === "windows" ? quoteForPowerShell(folder) : shellQuote(folder);
}

/** One word for PowerShell, whatever is in it. */
export function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
