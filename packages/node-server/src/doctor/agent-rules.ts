/** What agents do that no check can see (docs/clients/claude-code.md, Discovery and When it connects). */
export const agentRules: readonly string[] = [
  "Claude Code looks for editors in its first 30 seconds only: later, type /ide.",
  "It connects on its own with --ide, or in an editor's own terminal, and never with -p.",
  "It connects only if exactly one running editor is for the folder.",
  "It compares real paths: a folder that is reached by a symbolic link does not match.",
  "It reads no lock file twice: when the editor restarts on another port, type /ide.",
  "It shows changes in the editor in permission mode default only, with diffTool auto; it may start in another mode: Shift+Tab changes it.",
  "opencode reads ~/.claude/ide only, and takes the newest lock file, running or stale.",
];
