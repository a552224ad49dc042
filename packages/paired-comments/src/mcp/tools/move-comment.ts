import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { warningsSchema } from "../comment-value.ts";
import { idSchema, lineSchema, pathSchema, quoteSchema } from "../schemas.ts";
import { anchorWords, correctionOf } from "../texts.ts";

const input = v.object({
  sourceFile: pathSchema("Current file containing the comment"),
  targetFile: pathSchema("Destination file (can be same as source)"),
  commentId: idSchema,
  targetLine: lineSchema("New line number in target file"),
  quote: v.exactOptional(quoteSchema),
});

const output = v.object({
  id: v.string(),
  filePath: v.string(),
  line: v.number(),
  anchor: v.exactOptional(v.string()),
  from: v.object({ filePath: v.string(), line: v.number() }),
  warnings: warningsSchema,
});

export function moveCommentTool(server: McpServer<undefined>, context: CommentToolContext): void {
  commentTool(server, context, {
    name: "move_comment",
    title: "Move a comment",
    description: "Move a comment to a different file or line (e.g., after refactoring)",
    annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: false },
    input,
    output,
    async run({ sourceFile, targetFile, commentId, targetLine, quote }, store) {
      const target = { filePath: targetFile, line: targetLine, quote };
      const { from, to } = await store.move(sourceFile, commentId, target);
      const { line } = to.marker;
      const container = to.anchor?.container;
      const inside = container === undefined ? "" : ` in ${container}`;
      const { id } = to.comment;
      const { id: formerId } = from.comment;
      const taken = id === formerId ? [] : [`${formerId} already exists in that file`];
      const renumbered = taken.map((words) => ` (${words})`).join("");
      const corrected = correctionOf(targetLine, line);
      const words = corrected.map((each) => `\n\n${each}`).join("");
      return {
        text: `✅ Comment moved successfully\n\nFrom: ${from.filePath}:${from.marker.line}\nTo: ${to.filePath}:${line}\n\nComment ID: ${id}${renumbered}\nNew anchor: ${anchorWords(to.anchor)}${inside}${words}`,
        value: {
          id,
          filePath: to.filePath,
          line,
          ...(to.anchor === undefined ? {} : { anchor: to.anchor.name }),
          from: { filePath: from.filePath, line: from.marker.line },
          warnings: [...taken, ...corrected],
        },
      };
    },
  });
}
