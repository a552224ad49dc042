import type { Implementation, UnreviewedWrites } from "@idewire/core";
import { hasNoDiff } from "@idewire/core";

/** So many files are named. */
const MAX_NAMES = 3;

/** What there is to do about it, and about the next ones. */
const ADVICE =
  "The mode of Claude Code lets it write without asking: Shift+Tab there changes it, and in mode " +
  "default its changes are reviewed here.";

/** Says which files an agent has written though nobody was asked here, and how to be asked. */
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

/** What has to be known of an agent that has just come; empty where there is nothing. */
export function describeHabit(agent: Implementation | undefined): string {
  return hasNoDiff(agent) ? "It has no diff: it writes without a review here." : "";
}
