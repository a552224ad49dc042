import { type PosixPath, toNativePath } from "@idewire/core";
import { platform } from "../vault-paths.ts";

/** What to type into a terminal, so that Claude Code starts in the vault and connects. */
export function connectCommand(root: PosixPath): string {
  const folder = toNativePath(root, platform);
  // PowerShell is what a terminal of Windows opens, and knows no `&&` in its older versions.
  return platform === "windows"
    ? `cd ${quoteForPowerShell(folder)}; claude --ide`
    : `cd ${quoteForShell(folder)} && claude --ide`;
}

/** One word for a POSIX shell, whatever is in it. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** One word for PowerShell, whatever is in it. */
export function quoteForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
