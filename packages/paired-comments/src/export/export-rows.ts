import type { LocatedFile } from "../store/located-comments.ts";

/** A comment as exports have it. */
export interface ExportRow {
  readonly id: string;
  readonly filePath: string;
  /** 1-based; included, as is the end. */
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
  readonly aiModel: string | undefined;
  readonly aiConfidence: number | undefined;
  readonly aiReasoning: string | undefined;
  readonly anchor: string | undefined;
  readonly context: string | undefined;
  /** Line of the context's first line. */
  readonly contextStart: number | undefined;
}

export interface RowOptions {
  /** Lines of source before and after; undefined for none at all. */
  readonly contextLines: number | undefined;
  readonly withSecrets: boolean;
}

export interface ExportRows {
  readonly rows: readonly ExportRow[];
  /** What looks like a secret and was left out. */
  readonly withheld: readonly { readonly id: string; readonly filePath: string }[];
}

/** The comments of a file as rows, by line. */
export function exportRows(file: LocatedFile, options: RowOptions): ExportRows {
  const all = rowsOf(file, options.contextLines);
  if (options.withSecrets) return { rows: all, withheld: [] };
  const isOpen = ({ text, context = "", aiReasoning = "" }: ExportRow) =>
    ![text, context, aiReasoning].some(looksSecret);
  return {
    rows: all.filter(isOpen),
    withheld: all.filter((row) => !isOpen(row)).map(({ id, filePath }) => ({ id, filePath })),
  };
}

const secrets: readonly RegExp[] = [
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\bAIza[0-9A-Za-z_-]{30,}/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
  /(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\./,
  /\b(?:password|passwd|secret|api[_-]?key|token)["']?\s{0,5}[:=]\s{0,5}["'][^"'\s]{12,}["']/i,
];

/** Does a text hold something like a key or a password? */
function looksSecret(text: string): boolean {
  return secrets.some((pattern) => pattern.test(text));
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
      aiModel: comment.aiMeta?.model,
      aiConfidence: comment.aiMeta?.confidence,
      aiReasoning: comment.aiMeta?.reasoning,
      anchor: anchor?.name,
      context: isThere ? lines.slice(from - 1, to).join("\n") : undefined,
      contextStart: isThere ? from : undefined,
    };
  });
}
