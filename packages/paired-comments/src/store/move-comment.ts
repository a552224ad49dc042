import type { CommentFiles } from "./comment-files.ts";
import type { PlacedComment } from "./comment-requests.ts";
import { findComment, notFound, withComment, without } from "./document-changes.ts";
import { lineOfQuote } from "./line-of-quote.ts";
import { movedComment, newMarker, placed } from "./new-parts.ts";
import { markerAt } from "./re-anchor.ts";
import type { CommentWorkspace } from "./workspace.ts";

/** Where a comment moves to. */
export interface MoveTarget {
  readonly filePath: string;
  readonly line: number;
  readonly quote?: string | undefined;
}

/** The old and the new place of a comment. */
export interface MovedComment {
  readonly from: PlacedComment;
  readonly to: PlacedComment;
}

/** Moves a comment to another line or file. If its id is taken in the other file, it gets a new one. */
export async function moveComment(
  { store, workspace }: { readonly store: CommentFiles; readonly workspace: CommentWorkspace },
  { path, id, target }: { readonly path: string; readonly id: string; readonly target: MoveTarget },
): Promise<MovedComment> {
  const sourcePath = await store.follow(path);
  const targetPath = await store.follow(target.filePath);
  const paths = [...new Set([sourcePath, targetPath])].sort();
  return workspace.update(paths, async (files) => {
    const from = await store.open(sourcePath, files);
    const { comment, marker } = findComment(from.document, sourcePath, id);
    const isSame = sourcePath === targetPath;
    const to = isSame ? from : await store.open(targetPath, files);
    if (to.isGone) throw notFound(target.filePath);
    const line = lineOfQuote(to.tree.lines, { ...target, filePath: targetPath });
    const nowMs = store.now();
    const moved = movedComment(comment, isSame ? undefined : to.document, nowMs);
    const lines = marker.endLine === undefined ? 0 : marker.endLine - marker.line;
    const endLine = lines === 0 ? undefined : Math.min(line + lines, to.tree.lines.length);
    const left = without(from.document, comment.id);
    const placedMarker = isSame
      ? markerAt(marker, to.tree, { line, endLine })
      : newMarker(to.document, moved, { tree: to.tree, nowMs, line, endLine });
    const changed = withComment(isSame ? left : to.document, moved, placedMarker);
    const rest = isSame ? undefined : { opened: from, document: left };
    await store.writeBoth(files, { opened: to, document: changed }, rest);
    return {
      from: { filePath: sourcePath, comment, marker, anchor: undefined },
      to: placed(targetPath, moved, placedMarker, to.tree),
    };
  });
}
