/** The complete sides of a file with merge conflicts. */
export interface ConflictSides {
  readonly ours: string;
  readonly theirs: string;
  /** With git's conflict style `diff3` or `zdiff3`, if there was a common ancestor. */
  readonly base: string | undefined;
}

type Side = "ours" | "theirs" | "base";

const marks: readonly (readonly [RegExp, Side | undefined])[] = [
  [/^<{7}(?: |$)/, "ours"],
  [/^\|{7}(?: |$)/, "base"],
  [/^={7}$/, "theirs"],
  [/^>{7}(?: |$)/, undefined],
];

/** Splits a text at git's conflict markers; undefined without complete markers. */
export function splitConflict(text: string): ConflictSides | undefined {
  const sides: Record<Side, string[]> = { ours: [], theirs: [], base: [] };
  let side: Side | undefined;
  let isFound = false;
  let hasBase = false;
  for (const line of text.split(/\r?\n/)) {
    const mark = marks.find(([pattern]) => pattern.test(line));
    if (mark !== undefined) {
      if ((side === undefined) !== (mark[1] === "ours")) return undefined;
      side = mark[1];
      isFound = true;
      hasBase ||= side === "base";
    } else if (side === undefined) {
      for (const lines of Object.values(sides)) lines.push(line);
    } else {
      sides[side].push(line);
    }
  }
  if (!isFound || side !== undefined) return undefined;
  const base = sides.base.join("\n");
  return {
    ours: sides.ours.join("\n"),
    theirs: sides.theirs.join("\n"),
    base: hasBase && base.trim() !== "" ? base : undefined,
  };
}
