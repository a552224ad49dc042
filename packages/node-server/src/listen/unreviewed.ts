import type { Implementation, UnreviewedWrites } from "@idewire/core";
import { hasNoDiff } from "@idewire/core";

/** How many files are named. */
const MAX_NAMES = 3;

/** What the person can do about it. */
const ADVICE =
  "The mode of Claude Code lets it write without asking: Shift+Tab there changes it, and in mode " +
  "default its changes are reviewed here.";

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
  return hasNoDiff(agent) ? "It has no diff: it writes without a review here." : "";
}
