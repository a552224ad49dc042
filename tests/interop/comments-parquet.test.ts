import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import {
  CommentStore,
  createMemoryWorkspace,
  createSourceReader,
  exportComments,
} from "@idewire/paired-comments";
import type { UnreadableFile } from "@idewire/paired-comments/internal";
import { readGrammarFile } from "@idewire/paired-comments/node";
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";

const unexpected = ({ error }: UnreadableFile): never => {
  throw error;
};

test("DuckDB reads the Parquet export back equal to the JSONL and the comments", async () => {
  const source = Array.from({ length: 300 }, (_, index) => `run${index}();`).join("\n");
  const workspace = createMemoryWorkspace({ "a.js": source });
  let time = Date.parse("2026-01-01T00:00:00.123Z");
  const reader = createSourceReader(readGrammarFile);
  const store = new CommentStore({ workspace, reader, now: () => time++ });
  for (const [index, text] of ["plain", "🦆 'quoted' \"twice\"", "two\nlines", "{}"].entries()) {
    await store.add({
      filePath: "a.js",
      line: index * 2 + 1,
      ...(index % 2 === 0 ? {} : { endLine: index * 2 + 2 }),
      text,
      tag: index % 2 === 0 ? "TODO" : "NOTE",
      author: "ann",
      ...(index === 1 ? {} : { aiMeta: { model: "m", confidence: index / 4 } }),
    });
  }
  const first = (await store.file("a.js")).comments[0]?.comment.id ?? "";
  const replies = [
    { id: "r_1", author: "bob", text: 'why "not"?', created: "2026-01-02T00:00:00Z" },
  ];
  await store.edit("a.js", first, { replies });
  const { files } = await store.all();
  const options = { format: "parquet", contextLines: 1 } as const;
  const { content, count } = await exportComments(store.each(unexpected), options);
  const folder = temporaryFolder("comments-parquet-");
  const file = join(folder, "comments.parquet");
  writeFileSync(file, content);
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll(
    `SELECT comment_id, file, line, end_line, tag, text, author, epoch_ms(created) AS created, ai_model, ai_confidence, json_extract_string(replies, '$[0].text') AS reply, context FROM '${file}' ORDER BY line`,
  );
  const located = files.flatMap(({ comments }) => comments);
  expect(count).toBe(4);
  expect(read.getRowObjects()).toEqual(
    located.map(({ comment, place }) => ({
      comment_id: comment.id,
      file: "a.js",
      line: place.line,
      end_line: place.endLine ?? null,
      tag: comment.tag,
      text: comment.text,
      author: "ann",
      created: BigInt(Date.parse(comment.created)),
      ai_model: comment.aiMeta?.model ?? null,
      ai_confidence: comment.aiMeta?.confidence ?? null,
      reply: comment.replies?.[0]?.text ?? null,
      context: source
        .split("\n")
        .slice(Math.max(0, place.line - 2), (place.endLine ?? place.line) + 1)
        .join("\n"),
    })),
  );
  const tags = await connection.runAndReadAll(
    `SELECT tag, count(*)::INTEGER AS n FROM '${file}' GROUP BY tag ORDER BY tag`,
  );
  expect(tags.getRowObjects()).toEqual([
    { tag: "NOTE", n: 2 },
    { tag: "TODO", n: 2 },
  ]);
  connection.closeSync();
});
