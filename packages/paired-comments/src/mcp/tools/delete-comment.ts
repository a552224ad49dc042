import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { idSchema, pathSchema } from "../schemas.ts";

const input = v.object({ filePath: pathSchema("Path to source file"), commentId: idSchema });

const output = v.object({ id: v.string(), filePath: v.string() });

export function deleteCommentTool(server: McpServer<undefined>, context: CommentToolContext): void {
  commentTool(server, context, {
    name: "delete_comment",
    title: "Delete a comment",
    description: "Delete a comment and its associated ghost marker",
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    input,
    output,
    async run({ filePath: path, commentId }, store) {
      const { comment, filePath } = await store.remove(path, commentId);
      return {
        text: `✅ Comment deleted\n\nComment ID: ${comment.id}\nFile: ${filePath}`,
        value: { id: comment.id, filePath },
      };
    },
  });
}
