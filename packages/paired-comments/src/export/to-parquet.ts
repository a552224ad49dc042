import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import type { ExportRow } from "./export-rows.ts";

/** A Parquet file with a row for each comment; times are timestamps in milliseconds. */
export function toParquet(rows: readonly ExportRow[]): Uint8Array {
  const column = (
    name: string,
    type: NonNullable<ColumnSource["type"]>,
    value: (row: ExportRow) => unknown,
  ): ColumnSource => ({ name, type, data: rows.map((row) => value(row) ?? null), nullable: true });
  const columnData = [
    column("comment_id", "STRING", ({ id }) => id),
    column("file", "STRING", ({ filePath }) => filePath),
    column("line", "INT32", ({ line }) => line),
    column("end_line", "INT32", ({ endLine }) => endLine),
    column("tag", "STRING", ({ tag }) => tag),
    column("text", "STRING", ({ text }) => text),
    column("author", "STRING", ({ author }) => author),
    column("created", "TIMESTAMP", ({ created }) => dateOf(created)),
    column("updated", "TIMESTAMP", ({ updated }) => dateOf(updated)),
    column("state", "STRING", ({ state }) => state),
    column("anchor_status", "STRING", ({ status }) => status),
    column("anchor", "STRING", ({ anchor }) => anchor),
    column("replies", "STRING", ({ replies }) => JSON.stringify(replies)),
    column("ai_model", "STRING", ({ aiModel }) => aiModel),
    column("ai_confidence", "DOUBLE", ({ aiConfidence }) => aiConfidence),
    column("ai_reasoning", "STRING", ({ aiReasoning }) => aiReasoning),
    column("context", "STRING", ({ context }) => context),
    column("context_start", "INT32", ({ contextStart }) => contextStart),
  ];
  const kvMetadata = [{ key: "paired-comments.schema", value: "1" }];
  return new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata }));
}

/** Undefined for an invalid time. */
function dateOf(time: string): Date | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
