/**
 * The permission mode in which Claude Code asks before it writes, and so opens diffs in an editor
 * (docs/clients/claude-code.md, Diffs). As an argument every version takes `default`; what a person
 * reads there is *manual* since 2.1.200.
 */
const askingMode = { argument: "default", shownAs: "manual", since: "2.1.200" } as const;

/** The arguments by which Claude Code asks: since 2.1.283 it does not ask on its own. */
export const askingArguments: readonly string[] = ["--permission-mode", askingMode.argument];

/** Starts Claude Code so that it connects, and asks. */
export const claudeCommand: string = ["claude", "--ide", ...askingArguments].join(" ");

/** The mode as a person has to look for it. */
export const askingModeWords: string = `permission mode ${askingMode.argument} (called ${askingMode.shownAs} since ${askingMode.since})`;

/** Whether a mode of Claude Code's settings, or of its arguments, is the one that asks. */
export function isAskingMode(mode: unknown): boolean {
  return mode === askingMode.argument || mode === askingMode.shownAs;
}
