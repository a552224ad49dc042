/**
 * The permission mode in which Claude Code asks before it writes, and so opens diffs in an editor
 * (docs/clients/claude-code.md, Diffs). Every version accepts the argument `default`; since 2.1.200 it is
 * displayed as *manual*.
 */
const askingMode = { argument: "default", shownAs: "manual", since: "2.1.200" } as const;

/** The arguments that make Claude Code ask: since 2.1.283 it does not by default. */
export const askingArguments: readonly string[] = ["--permission-mode", askingMode.argument];

/** Starts Claude Code so that it connects, and asks. */
export const claudeCommand: string = ["claude", "--ide", ...askingArguments].join(" ");

/** The mode's displayed name. */
export const askingModeWords: string = `permission mode ${askingMode.argument} (called ${askingMode.shownAs} since ${askingMode.since})`;

/** Whether a mode of Claude Code's settings, or of its arguments, is the one that asks. */
export function isAskingMode(mode: unknown): boolean {
  return mode === askingMode.argument || mode === askingMode.shownAs;
}
