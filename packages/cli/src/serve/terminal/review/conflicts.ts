import { findConflicts, type LineRange } from "@idewire/core/internal/hunks";
import type { PendingDiff } from "../../../folder-host/folder-host.ts";

/** Shown above a hunk whose lines have also changed outside the proposal. */
export const CHANGED_ON_BOTH_SIDES =
  "Changed on both sides: accepting it drops what was written to the file meanwhile";

/** The lines of the current text that both sides have changed since the proposal. */
export function conflictsOf({ request, current, base }: PendingDiff): readonly LineRange[] {
  if (base === undefined || current === undefined) return [];
  return findConflicts({ base, current, proposed: request.proposed });
}

/** The number of such hunks, in words; undefined if there are none. */
export function describeConflicts(pending: PendingDiff): string | undefined {
  const { length } = conflictsOf(pending);
  if (length === 0) return undefined;
  return `${length} ${length === 1 ? "hunk was" : "hunks were"} changed on both sides: review them one by one`;
}
