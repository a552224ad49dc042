import { toBase64 } from "@idewire/core/internal";
import type { McpServer, ResourceContents } from "@idewire/core/server";
import * as v from "valibot";
import { type CommentExport, exportComments, exportFormats } from "../../export/export-comments.ts";
import type { UnreadableFile } from "../../store/comment-requests.ts";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { unreadableSchema, unreadableText, unreadableValue } from "../unreadable.ts";

const input = v.object({
  format: v.pipe(v.picklist(exportFormats), v.description("Export format")),
  filePath: v.exactOptional(
    v.pipe(v.string(), v.description("Optional: Export only specific file (omit for all files)")),
  ),
  options: v.exactOptional(
    v.object({
      includeSourceContext: v.optional(
        v.pipe(v.boolean(), v.description("Include surrounding code lines")),
        false,
      ),
      contextLines: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(0),
          v.maxValue(20),
          v.description("Lines of context before/after"),
        ),
        3,
      ),
    }),
  ),
});

const output = v.object({
  format: v.string(),
  totalComments: v.number(),
  sizeBytes: v.number(),
  withheld: v.array(v.object({ id: v.string(), filePath: v.string() })),
  errors: v.pipe(v.array(unreadableSchema), v.description("Files of comments that are left out")),
  name: v.pipe(v.string(), v.description("A name for the file")),
  mimeType: v.string(),
  text: v.exactOptional(v.pipe(v.string(), v.description("The export, unless it is Parquet"))),
  base64: v.exactOptional(v.pipe(v.string(), v.description("The bytes of Parquet"))),
});

type Output = v.InferOutput<typeof output>;

export function exportCommentsTool(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  commentTool<v.InferOutput<typeof input>, Output>(server, context, {
    name: "export_comments",
    title: "Export comments",
    description: "Export comments as JSON, Markdown, or AI training data",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input,
    output,
    async run({ format, filePath, options }, store) {
      const unreadable: UnreadableFile[] = [];
      const all = store.each((file) => unreadable.push(file));
      const files = filePath === undefined ? all : [await store.file(filePath)];
      const contextLines = options?.includeSourceContext ? options.contextLines : undefined;
      const exported = await exportComments(files, { format, contextLines });
      const { content, count, withheld, name, mimeType } = exported;
      const value = {
        ...{ format, name, mimeType, withheld: [...withheld] },
        ...{ totalComments: count, sizeBytes: sizeOf(exported) },
        errors: unreadable.map(unreadableValue),
        ...(typeof content === "string" ? { text: content } : { base64: toBase64(content) }),
      };
      const left = [withheldText(exported), unreadableText(unreadable)];
      return { text: left.filter((words) => words !== "").join("\n\n"), value };
    },
    content: ({ text, value }) => {
      const embedded = { type: "resource" as const, resource: toResource(value) };
      return text === "" ? [embedded] : [embedded, { type: "text", text }];
    },
  });
}

function toResource({ name, mimeType, text = "", base64 }: Output): ResourceContents {
  const resource = { uri: `export://${name}`, mimeType };
  return base64 === undefined ? { ...resource, text } : { ...resource, blob: base64 };
}

function sizeOf({ content }: CommentExport): number {
  return typeof content === "string" ? utf8Length(content) : content.byteLength;
}

function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}

function withheldText({ withheld }: CommentExport): string {
  if (withheld.length === 0) return "";
  const list = withheld.map(({ id, filePath }) => `${id} of ${filePath}`).join(", ");
  return `Left out, because they look like secrets: ${list}`;
}
