import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { authorSchema, idSchema, pathSchema, textSchema } from "../schemas.ts";

const input = v.object({
  filePath: pathSchema("Path to source file containing the comment"),
  commentId: idSchema,
  text: textSchema,
  author: authorSchema,
});

const output = v.object({ id: v.string(), filePath: v.string(), replyId: v.string() });

export function replyToCommentTool(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  commentTool(server, context, {
    name: "reply_to_comment",
    title: "Reply to a comment",
    description: "Add a reply to an existing comment, whose own text stays as it is",
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    input,
    output,
    async run({ filePath: path, commentId, ...reply }, store) {
      const { comment, filePath } = await store.reply(path, commentId, reply);
      const replyId = comment.replies?.at(-1)?.id ?? "";
      return {
        text: `✅ Reply added\n\nComment ID: ${comment.id}\nReply ID: ${replyId}\nFile: ${filePath}`,
        value: { id: comment.id, filePath, replyId },
      };
    },
  });
}
