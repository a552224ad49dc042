import { writeDocument } from "../format/write-document.ts";
import type { LocatedFile } from "../store/located-comments.ts";
import { type ExportRow, type ExportRows, exportRows, type Withheld } from "./export-rows.ts";
import { hasSecret } from "./has-secret.ts";
import { toMarkdown } from "./to-markdown.ts";

export type ExportFormat = "json" | "markdown" | "jsonl" | "parquet";

export const exportFormats: readonly ExportFormat[] = ["json", "markdown", "jsonl", "parquet"];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Lines of source before and after each comment; undefined for no source. */
  readonly contextLines?: number | undefined;
  /** Includes comments that look like secrets. */
  readonly withSecrets?: boolean | undefined;
  /** JSONL with chat `messages` instead of `prompt` and `completion`. */
  readonly chat?: boolean | undefined;
}

export interface CommentExport {
  readonly mimeType: string;
  /** Suggested file name. */
  readonly name: string;
  /** Text, or the bytes of Parquet. */
  readonly content: string | Uint8Array;
  readonly count: number;
  /** Left out because it looks like a secret. */
  readonly withheld: readonly Withheld[];
}

/**
 * Exports the comments of files in one of four formats, each with the same comments.
 * @param files read one at a time
 */
export async function exportComments(
  files: Iterable<LocatedFile> | AsyncIterable<LocatedFile>,
  options: ExportOptions,
): Promise<CommentExport> {
  const { format, contextLines, withSecrets = false } = options;
  const exported: ExportRows[] = [];
  const documents: object[] = [];
  const fields: Withheld[] = [];
  for await (const file of files) {
    const found = exportRows(file, { contextLines, withSecrets });
    exported.push(found);
    if (format !== "json" || found.rows.length === 0) continue;
    const { value, withheld } = toJson(file, found.rows, withSecrets);
    documents.push(value);
    fields.push(...withheld);
  }
  const rows = exported.flatMap((each) => each.rows);
  const withheld = [...exported.flatMap((each) => each.withheld), ...fields];
  const base = { count: rows.length, withheld };
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

interface JsonOfFile {
  readonly value: object;
  readonly withheld: readonly Withheld[];
}

/** A file's content with current places, in a form that can be imported. */
function toJson(
  { document, filePath }: LocatedFile,
  rows: readonly ExportRow[],
  withSecrets: boolean,
): JsonOfFile {
  const kept = new Map(rows.map((row) => [row.id, row]));
  const comments = document.comments.filter(({ id }) => kept.has(id));
  const value = JSON.parse(writeDocument({ ...document, comments })) as object;
  const fields = Object.entries(value);
  const secret = withSecrets ? [] : fields.filter(isSecretField);
  const shown = Object.fromEntries(fields.filter((field) => !secret.includes(field)));
  return {
    value: { ...shown, context: contextsOf(kept) },
    withheld: secret.map(([key]) => ({ id: nameOf(key), filePath })),
  };
}

/** Fields that were already checked as parts of rows. */
const fieldsOfRows: readonly string[] = ["version", "filePath", "comments", "ghostMarkers"];

/** Is it a field of the whole file that seems to contain a secret? */
function isSecretField([key, value]: readonly [string, unknown]): boolean {
  return !fieldsOfRows.includes(key) && hasSecret({ [key]: value });
}

/** The name of an unknown field, if it is a short word and not itself a secret. */
function nameOf(key: string): string {
  return /^\w{1,40}$/.test(key) && !hasSecret(key) ? key : "a field";
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
  const { id, aiModel: model, replies } = row;
  const metadata = { id, filePath, line, tag, author, model, replies };
  if (!isChat) return JSON.stringify({ prompt, completion: text, metadata });
  const messages = [
    { role: "user", content: prompt },
    { role: "assistant", content: text },
  ];
  return JSON.stringify({ messages, metadata });
}
