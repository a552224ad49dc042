import { diffArrays } from "diff/lib/diff/array.js";
import type { UnitTree } from "../anchors/units/unit.ts";
import type { CommentsDocument } from "../format/document.ts";
import { locate } from "./locate.ts";
import type { LocatedComment, LocatedFile } from "./located-comments.ts";

/** A comment displaced between two versions of the source. */
export interface DisplacedComment {
  /** `lost`: its code is gone; `guessed`: its place is now ambiguous; `moved`: its code is elsewhere. */
  readonly what: "lost" | "guessed" | "moved";
  /** The comment at its current place. */
  readonly located: LocatedComment;
  /** 1-based line in the earlier version. */
  readonly line: number;
}

/** Above this number of changed lines, the versions are not compared, and no comment counts as moved. */
const mostEdits = 5_000;

/**
 * Finds comments displaced by a change of the source. Lines added or removed above a comment do not displace it:
 * it has moved if its code was removed in one place and is now in another.
 */
export function displacedComments(
  before: CommentsDocument,
  earlier: UnitTree,
  now: LocatedFile,
): readonly DisplacedComment[] {
  const old = new Map(locate(before, earlier).map((each) => [each.comment.id, each]));
  const replacedBy = replacements(earlier.lines, now.source?.split(/\r\n|\r|\n/) ?? []);
  return now.comments.flatMap((located): readonly DisplacedComment[] => {
    const was = old.get(located.comment.id);
    if (was === undefined || was.place.status === "orphaned") return [];
    const lost = lossOf(was, located);
    if (lost !== undefined) return [{ what: lost, located, line: was.place.line }];
    const range = replacedBy.get(was.place.line);
    const { line } = located.place;
    const isMoved = range !== undefined && (line < range.first || line > range.last);
    return isMoved ? [{ what: "moved", located, line: was.place.line }] : [];
  });
}

function lossOf(
  { place: was }: LocatedComment,
  { place }: LocatedComment,
): "lost" | "guessed" | undefined {
  if (was.status === place.status) return undefined;
  if (place.status === "orphaned") return "lost";
  return place.status === "ambiguous" ? "guessed" : undefined;
}

interface Lines {
  /** 1-based, both ends inclusive; the last is one less than the first for an empty range. */
  readonly first: number;
  readonly last: number;
}

/** The lines that replace each removed line; 1-based. */
function replacements(
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<number, Lines> {
  const [old, fresh] = [before, after].map((lines) => lines.map((text) => text.trim()));
  const changes = diffArrays(old ?? [], fresh ?? [], { maxEditLength: mostEdits });
  const found = new Map<number, Lines>();
  let [line, freshLine] = [1, 1];
  for (const [index, { removed, added, count }] of (changes ?? []).entries()) {
    if (removed) {
      const next = changes?.[index + 1];
      const place = { first: freshLine, last: freshLine + (next?.added ? next.count : 0) - 1 };
      for (let each = line; each < line + count; each++) found.set(each, place);
    }
    if (!added) line += count;
    if (!removed) freshLine += count;
  }
  return found;
}
