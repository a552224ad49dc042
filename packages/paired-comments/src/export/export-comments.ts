import { writeDocument } from "../format/write-document.ts";
import type { LocatedFile } from "../store/located-comments.ts";
import { type ExportRow, type ExportRows, exportRows } from "./export-rows.ts";
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

/**
 * The comments of files in one of four formats; the same comments in each.
 * @param files are asked for one by one
 */
export async function exportComments(
  files: Iterable<LocatedFile> | AsyncIterable<LocatedFile>,
  options: ExportOptions,
): Promise<CommentExport> {
  const { format, contextLines, withSecrets = false } = options;
  const exported: ExportRows[] = [];
  const documents: object[] = [];
  for await (const file of files) {
    const found = exportRows(file, { contextLines, withSecrets });
    exported.push(found);
    if (format === "json" && found.rows.length > 0) documents.push(toJson(file, found.rows));
  }
  const rows = exported.flatMap((each) => each.rows);
  const base = { count: rows.length, withheld: exported.flatMap((each) => each.withheld) };
  switch (format) {
    case "json": {
      const content = `${JSON.stringify({ version: 1, files: documents }, undefined, 2)}\n`;
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

/** What a file holds, with the places of now: it can be imported again. */
function toJson({ document }: LocatedFile, rows: readonly ExportRow[]): object {
  const kept = new Map(rows.map((row) => [row.id, row]));
  const comments = document.comments.filter(({ id }) => kept.has(id));
  const value = JSON.parse(writeDocument({ ...document, comments })) as object;
  return { ...value, context: contextsOf(kept) };
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
