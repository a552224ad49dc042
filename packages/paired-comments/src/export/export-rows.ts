import type { CommentReply } from "../format/document.ts";
import type { LocatedFile } from "../store/located-comments.ts";
import { hasSecret } from "./has-secret.ts";

/** A comment in an export. */
export interface ExportRow {
  readonly id: string;
  readonly filePath: string;
  /** 1-based; both ends inclusive. */
  readonly line: number;
  readonly endLine: number | undefined;
  readonly tag: string;
  readonly text: string;
  readonly author: string;
  /** ISO 8601. */
  readonly created: string;
  readonly updated: string;
  readonly state: string;
  readonly status: string;
  readonly replies: readonly Pick<CommentReply, "author" | "text" | "created">[];
  readonly aiModel: string | undefined;
  readonly aiConfidence: number | undefined;
  readonly aiReasoning: string | undefined;
  readonly anchor: string | undefined;
  readonly context: string | undefined;
  /** Line number of the context's first line. */
  readonly contextStart: number | undefined;
}

export interface RowOptions {
  /** Lines of source before and after; undefined for no source. */
  readonly contextLines: number | undefined;
  readonly withSecrets: boolean;
}

export interface ExportRows {
  readonly rows: readonly ExportRow[];
  /** Left out because it looks like a secret. */
  readonly withheld: readonly Withheld[];
}

export interface Withheld {
  /** Id of the comment; for a field of the whole file, which only JSON contains, its name. */
  readonly id: string;
  readonly filePath: string;
}

/**
 * The comments of a file as rows, by line. Secrets are searched for in the whole stored comment, including
 * replies and the code of its anchor, so that all formats contain the same comments.
 */
export function exportRows(file: LocatedFile, options: RowOptions): ExportRows {
  const all = rowsOf(file, options.contextLines);
  if (options.withSecrets) return { rows: all, withheld: [] };
  const secret = file.comments.map(({ comment, marker }, index) =>
    hasSecret([comment, marker, all[index]?.context, all[index]?.anchor]),
  );
  return {
    rows: all.filter((_, index) => !secret[index]),
    withheld: all.filter((_, index) => secret[index]).map(({ id, filePath }) => ({ id, filePath })),
  };
}

function rowsOf(
  { filePath, comments, source }: LocatedFile,
  contextLines: number | undefined,
): readonly ExportRow[] {
  const lines = source?.split(/\r\n|\r|\n/);
  return comments.map(({ comment, place, anchor }) => {
    const isThere =
      lines !== undefined && contextLines !== undefined && place.status !== "orphaned";
    const from = Math.max(1, place.line - (contextLines ?? 0));
    const to = (place.endLine ?? place.line) + (contextLines ?? 0);
    return {
      id: comment.id,
      filePath,
      line: place.line,
      endLine: place.endLine,
      tag: comment.tag,
      text: comment.text,
      author: comment.author,
      created: comment.created,
      updated: comment.updated,
      state: comment.status ?? "open",
      status: place.status,
      replies: (comment.replies ?? []).map(({ author, text, created }) => ({
        author,
        text,
        created,
      })),
      aiModel: comment.aiMeta?.model,
      aiConfidence: comment.aiMeta?.confidence,
      aiReasoning: comment.aiMeta?.reasoning,
      anchor: anchor?.name,
      context: isThere ? lines.slice(from - 1, to).join("\n") : undefined,
      contextStart: isThere ? from : undefined,
    };
  });
}
