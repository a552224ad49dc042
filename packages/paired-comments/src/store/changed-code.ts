import { type LineRange, makeAnchor } from "../anchors/store/make-anchor.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import type { CommentsDocument, PairedComment } from "../format/document.ts";
import { locate } from "./locate.ts";
import { isOrphan, type LocatedComment, type LocatedFile } from "./located-comments.ts";

/** An earlier version of a file. */
export interface EarlierFile {
  readonly source: string;
  /** The text of its `.comments` file. */
  readonly comments: string;
}

/** An unchanged comment whose code has changed. */
export interface ChangedCode {
  /** The comment at its current place. */
  readonly located: LocatedComment;
  /** 1-based line in the earlier version. */
  readonly line: number;
  /** Text of that line, trimmed. */
  readonly text: string;
}

/**
 * Finds unchanged comments whose code has changed. Changes by formatters do not count; orphans are not included.
 */
export async function changedCode(
  files: {
    readonly before: CommentsDocument;
    readonly source: string;
    readonly now: LocatedFile;
  },
  reader: SourceReader,
): Promise<readonly ChangedCode[]> {
  const { before, source, now } = files;
  if (now.source === undefined || now.source === source) return [];
  const tree = await reader.read(now.filePath, now.source);
  const oldTree = await reader.read(now.filePath, source);
  const present = new Map(now.comments.map((located) => [located.comment.id, located]));
  const old = new Map(locate(before, oldTree).map((each) => [each.comment.id, each]));
  return locate(before, tree).flatMap((located) => {
    const current = present.get(located.comment.id);
    const home = old.get(located.comment.id);
    if (current === undefined || home === undefined || isOrphan(located)) return [];
    if (!isAsBefore(located.comment, current.comment)) return [];
    const isChanged = codeOf(oldTree, home.place) !== codeOf(tree, located.place);
    const { line } = home.place;
    const text = (oldTree.lines[line - 1] ?? "").trim();
    return isChanged ? [{ located: current, line, text }] : [];
  });
}

function isAsBefore(before: PairedComment, now: PairedComment): boolean {
  return before.text === now.text && (before.status ?? "open") === (now.status ?? "open");
}

/** The code of the lines, independent of formatters; for a declaration, only its head. */
function codeOf(tree: UnitTree, { line, endLine }: LineRange): string {
  const unit = tree.units[makeAnchor(tree, { line }).start.unit];
  const tokens =
    endLine === undefined
      ? (unit?.tokens ?? [])
      : tree.tokens.filter((token) => token.line >= line - 1 && token.line < endLine);
  return tokens
    .filter(({ counts }) => counts)
    .map(({ text }) => text)
    .join(" ");
}
