import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { idSchema, pathSchema, textSchema } from "../schemas.ts";

const input = v.object({
  filePath: pathSchema("Path to source file containing the comment"),
  commentId: idSchema,
  text: textSchema,
});

const output = v.object({ id: v.string(), filePath: v.string(), updated: v.string() });

export function editCommentTool(server: McpServer<undefined>, context: CommentToolContext): void {
  commentTool(server, context, {
    name: "edit_comment",
    title: "Edit a comment",
    description: "Edit the text content of an existing comment",
    annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: false },
    input,
    output,
    async run({ filePath: path, commentId, text }, store) {
      const { comment, filePath } = await store.edit(path, commentId, { text });
      const { id, updated } = comment;
      return {
        text: `✅ Comment edited successfully\n\nComment ID: ${id}\nFile: ${filePath}\nUpdated: ${updated}`,
        value: { id, filePath, updated },
      };
    },
  });
}
