import { countAddedHidden, describeAddedHidden } from "@idewire/core/internal";
import type { PendingDiff } from "../../../folder-host/folder-host.ts";
import type { Palette } from "../../../output/palette.ts";
import type { Printable } from "../../../output/printable.ts";

/** The warning above a diff that adds invisible characters: a line, or none. */
export function warnOfHidden(
  { current = "", request }: PendingDiff,
  palette: Palette,
): readonly Printable[] {
  const words = describeAddedHidden(countAddedHidden(current, request.proposed));
  return words === undefined ? [] : [palette.alarm(words)];
}
