import type { UnreviewedWrites } from "@idewire/core/internal";
import { askingModeWords, hasNoDiff } from "@idewire/core/internal";
import type { Implementation } from "@idewire/core/server";

/** How many files are named. */
const MAX_NAMES = 3;

/** What the person can do about it. */
const ADVICE =
  "Claude Code's mode lets it write without asking. Press Shift+Tab there for " +
  `${askingModeWords}, in which you review its diffs here.`;

/** Says which files an agent has written without a review here, and how to get one. */
export function describeUnreviewed(
  { paths }: UnreviewedWrites,
  nameOf: (path: UnreviewedWrites["paths"][number]) => string,
): string {
  const names = paths.slice(0, MAX_NAMES).map(nameOf).join(", ");
  const rest = paths.length - MAX_NAMES;
  const files = rest > 0 ? `${paths.length} files (${names} and ${rest} more)` : names;
  const were = paths.length === 1 ? "was" : "were";
  return `${files} ${were} written without a review here. ${ADVICE}`;
}

/** What the person should know of an agent that has just connected; empty if there is nothing. */
export function describeHabit(agent: Implementation | undefined): string {
  return hasNoDiff(agent) ? "It does not support diffs: it writes without a review here." : "";
}
