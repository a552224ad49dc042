import { askingModeWords } from "@idewire/core/internal";

/** Behaviour of agents that no check can detect (docs/clients/claude-code.md, Discovery and When it connects). */
export const agentRules: readonly string[] = [
  "Claude Code looks for editors in its first 30 seconds only: later, type /ide.",
  "It connects on its own with --ide, or in an editor's own terminal, and never with -p.",
  "It connects only if exactly one running editor is for the folder.",
  "It compares real paths: a folder reached through a symbolic link does not match.",
  "It reads no lock file twice: when the editor restarts on another port, type /ide.",
  `It shows diffs in the editor only in ${askingModeWords}, with diffTool auto; if it starts in another mode, press Shift+Tab.`,
  "opencode reads ~/.claude/ide only, and takes the newest lock file, running or stale.",
];
