import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { warningsSchema } from "../comment-value.ts";
import {
  authorSchema,
  lineSchema,
  pathSchema,
  quoteSchema,
  tagSchema,
  textSchema,
} from "../schemas.ts";
import { anchorSentence, correctionOf } from "../texts.ts";

const input = v.object({
  filePath: pathSchema("Relative path to source file from workspace root"),
  line: lineSchema("Line number where comment should be added (1-indexed)"),
  endLine: v.exactOptional(lineSchema("Last line of a comment on several lines (1-indexed)")),
  text: textSchema,
  tag: tagSchema,
  author: authorSchema,
  aiMeta: v.exactOptional(
    v.pipe(
      v.object({
        model: v.exactOptional(v.string()),
        confidence: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
        reasoning: v.exactOptional(v.string()),
      }),
      v.description("Optional AI metadata"),
    ),
  ),
  quote: v.exactOptional(quoteSchema),
});

const output = v.object({
  id: v.string(),
  markerId: v.string(),
  filePath: v.string(),
  line: v.number(),
  endLine: v.exactOptional(v.number()),
  tag: v.string(),
  anchor: v.exactOptional(v.string()),
  warnings: warningsSchema,
});

export function addCommentTool(server: McpServer<undefined>, context: CommentToolContext): void {
  commentTool(server, context, {
    name: "add_comment",
    title: "Add a comment",
    description: "Add a new paired comment to a source file at a specific line",
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    input,
    output,
    async run(args, store) {
      const { comment, marker, anchor, filePath } = await store.add(args);
      const { line, endLine } = marker;
      const warnings = correctionOf(args.line, line);
      return {
        text: `✅ Comment added successfully\n\nComment ID: ${comment.id}\nGhost Marker ID: ${marker.id}\nFile: ${filePath}:${line}\nTag: ${comment.tag}\n\n${[anchorSentence(anchor), ...warnings].join("\n\n")}`,
        value: {
          id: comment.id,
          markerId: marker.id,
          filePath,
          line,
          ...(endLine === undefined ? {} : { endLine }),
          tag: comment.tag,
          ...(anchor === undefined ? {} : { anchor: anchor.name }),
          warnings,
        },
      };
    },
  });
}
