import { CommentError } from "../errors.ts";
import type { CommentsDocument, GhostMarker, PairedComment } from "../format/document.ts";
import { type ReadResult, readDocument } from "../format/read-document.ts";
import { type MergedDocument, mergeDocuments } from "../merge/merge-documents.ts";
import type { ConflictSides } from "../merge/split-conflict.ts";
import type { NewComment } from "./comment-requests.ts";
import type { LocatedComment } from "./located-comments.ts";

/** As many characters as git demands of a hash. */
const shortestId = 4;

export type ReadDocument = ReadResult & { readonly ok: true };

/** @throws CommentError `CommentFileCorrupted` */
export function documentOf(filePath: string, text: string, nowMs: number): ReadDocument {
  const result = readDocument(text, filePath, nowMs);
  if (result.ok) return result;
  const { isNewer, ...damage } = result.damage;
  const message = isNewer ? "Comment file was written by a newer version of idewire" : undefined;
  throw new CommentError("CommentFileCorrupted", { filePath, ...damage }, message);
}

/**
 * @param commentId its id, or the beginning of it that no other comment of the file has
 * @throws CommentError `CommentNotFound`
 */
export function findComment(
  document: CommentsDocument,
  filePath: string,
  commentId: string,
): Pick<LocatedComment, "comment" | "marker"> {
  const { comments } = document;
  const known = comments.find(({ id }) => id === commentId);
  const isLong = known === undefined && commentId.length >= shortestId;
  const meant = isLong ? comments.filter(({ id }) => id.startsWith(commentId)) : [];
  if (meant.length > 1) throw ambiguous(meant, filePath, commentId);
  const comment = known ?? meant[0];
  const marker = document.ghostMarkers.find((each) => each.commentId === comment?.id);
  if (comment !== undefined && marker !== undefined) return { comment, marker };
  const suggestion = "Use get_file_comments to list valid comment IDs";
  throw new CommentError("CommentNotFound", { filePath, commentId, suggestion });
}

function ambiguous(
  meant: readonly PairedComment[],
  filePath: string,
  commentId: string,
): CommentError {
  const suggestion = "Use more characters of the ID";
  const data = { filePath, commentId, ids: meant.map(({ id }) => id), suggestion };
  return new CommentError("CommentNotFound", data, "Several comments have IDs that begin so");
}

/** Adds a comment, or replaces the one with its id. */
export function withComment(
  document: CommentsDocument,
  comment: PairedComment,
  marker: GhostMarker,
): CommentsDocument {
  const rest = without(document, comment.id);
  return {
    ...rest,
    comments: [...rest.comments, comment],
    ghostMarkers: [...rest.ghostMarkers, marker],
  };
}

export function without(document: CommentsDocument, id: string): CommentsDocument {
  return {
    ...document,
    comments: document.comments.filter((comment) => comment.id !== id),
    ghostMarkers: document.ghostMarkers.filter(({ commentId }) => commentId !== id),
  };
}

/** @throws CommentError `InvalidLineNumber` */
export function endLineOf(
  { filePath, line: requested, endLine }: NewComment,
  line: number,
  lineCount: number,
): number | undefined {
  if (endLine === undefined) return undefined;
  const end = endLine + line - requested;
  if (end >= line && end <= lineCount) return end;
  const suggestion = `endLine must be between ${line} and ${lineCount}`;
  throw new CommentError("InvalidLineNumber", {
    filePath,
    line: endLine,
    fileLineCount: lineCount,
    suggestion,
  });
}

export function notFound(filePath: string): CommentError {
  const suggestion = "Check that the file exists in the workspace";
  return new CommentError("FileNotFound", { filePath, suggestion });
}

/** @throws CommentError `CommentFileCorrupted` for a side that cannot be read */
export function mergeSides(
  { base, ours, theirs }: ConflictSides,
  filePath: string,
  nowMs: number,
): MergedDocument {
  const read = (side: string) => documentOf(filePath, side, nowMs).document;
  const before = base === undefined ? {} : { base: read(base) };
  return mergeDocuments({ ...before, ours: read(ours), theirs: read(theirs), nowMs });
}

/** The error for a move that could neither be completed nor undone. */
export function leftInBoth(filePath: string, target: string): CommentError {
  const suggestion = `Its comments could not be written, nor those of ${target} restored, so the comment is in both: free disk space, and delete it from one of them`;
  return new CommentError("FileAccessDenied", { filePath, suggestion });
}

/** The error for a merge without a conflict. */
export function noConflict(filePath: string): CommentError {
  const suggestion =
    "Name a source whose .comments file has conflicts; if a branch has deleted the file, keep it with git add or remove it with git rm";
  const message = "Comment file has no conflict to merge";
  return new CommentError("CommentFileCorrupted", { filePath, suggestion }, message);
}
