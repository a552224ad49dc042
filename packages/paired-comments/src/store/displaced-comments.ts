import { diffArrays } from "diff";
import type { UnitTree } from "../anchors/units/unit.ts";
import type { CommentsDocument } from "../format/document.ts";
import { locate } from "./locate.ts";
import type { LocatedComment, LocatedFile } from "./located-comments.ts";

/** What has become of a comment's place between two versions of the source. */
export interface DisplacedComment {
  /** `lost`: its code is gone; `guessed`: its place is a guess now; `moved`: its code is elsewhere. */
  readonly what: "lost" | "guessed" | "moved";
  /** As it is now. */
  readonly located: LocatedComment;
  /** 1-based; where it was. */
  readonly line: number;
}

/** More lines than these are not compared: then nothing is said to have moved. */
const mostEdits = 5_000;

/**
 * Comments that a change of the source has displaced. Lines that came or went above a comment do not: it is
 * moved when its code was taken away in one place and is in another.
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
  /** 1-based; the last is included, and one less than the first where nothing is left. */
  readonly first: number;
  readonly last: number;
}

/** For each line that is gone, the lines that are in its place; 1-based. */
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
