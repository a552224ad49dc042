import type { UnitTree } from "../anchors/units/unit.ts";
import type {
  CommentReply,
  CommentsDocument,
  GhostMarker,
  PairedComment,
} from "../format/document.ts";
import { commentIds, IdSequence, markerIds } from "../format/ids.ts";
import { anchorNameAt } from "./anchor-name.ts";
import type { NewReply, PlacedComment } from "./comment-requests.ts";
import { markerAt } from "./re-anchor.ts";

// The parts of a document that a change adds to it.

export function newCommentId({ comments }: CommentsDocument, nowMs: number): string {
  return commentIds(comments.map(({ id }) => id)).next(nowMs);
}

export function newReply(
  replies: readonly CommentReply[],
  { text, author }: NewReply,
  nowMs: number,
): CommentReply {
  const taken = replies.map(({ id }) => id);
  const created = new Date(nowMs).toISOString();
  return { id: new IdSequence("r_", taken).next(nowMs), text, author, created };
}

/** Where and when a comment is added. */
export interface NewPlace {
  readonly tree: UnitTree;
  readonly nowMs: number;
  readonly line: number;
  readonly endLine?: number | undefined;
}

export function newMarker(
  document: CommentsDocument,
  { id: commentId }: PairedComment,
  { tree, nowMs, ...range }: NewPlace,
): GhostMarker {
  const id = markerIds(document.ghostMarkers.map((marker) => marker.id)).next(nowMs);
  const bare = { id, commentId, line: range.line, originalLine: range.line, unknown: {} };
  return markerAt(bare, tree, range);
}

/** @param target the other document that it moves to, where another comment may have its id */
export function movedComment(
  comment: PairedComment,
  target: CommentsDocument | undefined,
  nowMs: number,
): PairedComment {
  const updated = new Date(nowMs).toISOString();
  const isTaken = target?.comments.some(({ id }) => id === comment.id) === true;
  return isTaken
    ? { ...comment, id: newCommentId(target, nowMs), updated }
    : { ...comment, updated };
}

export function placed(
  filePath: string,
  comment: PairedComment,
  marker: GhostMarker,
  tree: UnitTree,
): PlacedComment {
  return { filePath, comment, marker, anchor: anchorNameAt(tree, marker.line) };
}
