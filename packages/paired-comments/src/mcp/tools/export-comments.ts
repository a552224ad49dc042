import type { ResourceContents, Tool } from "@idewire/core";
import * as v from "valibot";
import { type CommentExport, exportComments, exportFormats } from "../../export/export-comments.ts";
import { toBase64 } from "../base64.ts";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";

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
});

export function exportCommentsTool(context: CommentToolContext): Tool<unknown> {
  const contents = new WeakMap<object, ResourceContents>();
  return commentTool<v.InferOutput<typeof input>, v.InferOutput<typeof output>>(
    {
      name: "export_comments",
      title: "Export comments",
      description: "Export comments as JSON, Markdown, or AI training data",
      annotations: { readOnlyHint: true, openWorldHint: false },
      input,
      output,
      async run({ format, filePath, options }, store) {
        const files = filePath === undefined ? store.each() : [await store.file(filePath)];
        const contextLines = options?.includeSourceContext ? options.contextLines : undefined;
        const exported = await exportComments(files, { format, contextLines });
        const sizeBytes = sizeOf(exported);
        const { count, withheld } = exported;
        const value = { format, totalComments: count, sizeBytes, withheld: [...withheld] };
        contents.set(value, toResource(exported));
        return { text: withheldText(exported), value };
      },
      content: ({ text, value }) => {
        const resource = contents.get(value);
        const embedded = resource === undefined ? [] : [{ type: "resource" as const, resource }];
        return text === "" ? embedded : [...embedded, { type: "text", text }];
      },
    },
    context,
  );
}

function toResource({ name, mimeType, content }: CommentExport): ResourceContents {
  const uri = `export://${name}`;
  return typeof content === "string"
    ? { uri, mimeType, text: content }
    : { uri, mimeType, blob: toBase64(content) };
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
