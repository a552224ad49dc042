import { writeDocument } from "../format/write-document.ts";
import type { LocatedFile } from "../store/located-comments.ts";
import { type ExportRow, exportRows } from "./export-rows.ts";
import { toMarkdown } from "./to-markdown.ts";

export type ExportFormat = "json" | "markdown" | "jsonl" | "parquet";

export const exportFormats: readonly ExportFormat[] = ["json", "markdown", "jsonl", "parquet"];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Lines of source before and after each comment; undefined for none. */
  readonly contextLines?: number | undefined;
  /** Comments that look like secrets, too. */
  readonly withSecrets?: boolean | undefined;
  /** Lines of JSONL as `messages` of a chat instead of `prompt` and `completion`. */
  readonly chat?: boolean | undefined;
}

export interface CommentExport {
  readonly mimeType: string;
  /** The file's name. */
  readonly name: string;
  /** Text, or the bytes of Parquet. */
  readonly content: string | Uint8Array;
  readonly count: number;
  /** What looks like a secret and was left out. */
  readonly withheld: readonly { readonly id: string; readonly filePath: string }[];
}

/** The comments of files in one of four formats; the same comments in each. */
export async function exportComments(
  files: readonly LocatedFile[],
  options: ExportOptions,
): Promise<CommentExport> {
  const { format, contextLines, withSecrets = false } = options;
  const { rows, withheld } = exportRows(files, { contextLines, withSecrets });
  const base = { count: rows.length, withheld };
  switch (format) {
    case "json": {
      const content = toJson(files, rows);
      return { ...base, mimeType: "application/json", name: "comments.json", content };
    }
    case "markdown":
      return { ...base, mimeType: "text/markdown", name: "comments.md", content: toMarkdown(rows) };
    case "jsonl": {
      const content = rows.map((row) => `${toLine(row, options.chat === true)}\n`).join("");
      return { ...base, mimeType: "application/x-ndjson", name: "training-data.jsonl", content };
    }
    case "parquet": {
      const { toParquet } = await import("./to-parquet.ts");
      const mimeType = "application/vnd.apache.parquet";
      return { ...base, mimeType, name: "comments.parquet", content: toParquet(rows) };
    }
  }
}

/** What the files hold, with the places of now: it can be imported again. */
function toJson(files: readonly LocatedFile[], rows: readonly ExportRow[]): string {
  const byFile = new Map<string, Map<string, ExportRow>>();
  for (const row of rows) {
    const found = byFile.get(row.filePath) ?? new Map<string, ExportRow>();
    byFile.set(row.filePath, found.set(row.id, row));
  }
  const exported = files.flatMap(({ document, filePath }) => {
    const kept = byFile.get(filePath);
    if (kept === undefined) return [];
    const comments = document.comments.filter(({ id }) => kept.has(id));
    const value = JSON.parse(writeDocument({ ...document, comments })) as object;
    return [{ ...value, context: contextsOf(kept) }];
  });
  return `${JSON.stringify({ version: 1, files: exported }, undefined, 2)}\n`;
}

function contextsOf(rows: ReadonlyMap<string, ExportRow>): object {
  return Object.fromEntries(
    [...rows].map(([id, { line, endLine, status, context, contextStart }]) => [
      id,
      { line, endLine, status, context, contextStart },
    ]),
  );
}

function toLine(row: ExportRow, isChat: boolean): string {
  const { filePath, line, tag, author, text, context } = row;
  const prompt = `Analyze this code:\n${context ?? `${filePath}, line ${line}`}\n`;
  const metadata = { id: row.id, filePath, line, tag, author, model: row.aiModel };
  if (!isChat) return JSON.stringify({ prompt, completion: text, metadata });
  const messages = [
    { role: "user", content: prompt },
    { role: "assistant", content: text },
  ];
  return JSON.stringify({ messages, metadata });
}
