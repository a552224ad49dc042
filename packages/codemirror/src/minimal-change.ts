import type { ChangeSpec, Text } from "@codemirror/state";

/** The change between the common start and end of two documents: marks outside of it stay in place. */
export function minimalChange(beforeDoc: Text, afterDoc: Text): ChangeSpec {
  const [before, after] = [beforeDoc.toString(), afterDoc.toString()];
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < shorter - from && before.at(-same - 1) === after.at(-same - 1)) same += 1;
  return { from, to: before.length - same, insert: afterDoc.slice(from, after.length - same) };
}
