import type { ChangeSpec, Text } from "@codemirror/state";
import { changedPart } from "@idewire/core/internal";

/** The change between the common start and end of two documents: marks outside of it stay in place. */
export function minimalChange(before: Text, after: Text): ChangeSpec {
  const { from, to, newFrom, newTo } = changedPart(before.toString(), after.toString());
  return { from, to, insert: after.slice(newFrom, newTo) };
}
