import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { commentStatuses } from "../../format/document.ts";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { idSchema, pathSchema } from "../schemas.ts";

const input = v.object({
  filePath: pathSchema("Path to source file containing the comment"),
  commentId: idSchema,
  state: v.optional(
    v.pipe(
      v.picklist(commentStatuses),
      v.description("resolved: done; wontfix: it will not be done; open: there is more to do"),
    ),
    "resolved",
  ),
});

const output = v.object({ id: v.string(), filePath: v.string(), state: v.string() });

export function resolveCommentTool(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  commentTool(server, context, {
    name: "resolve_comment",
    title: "Resolve a comment",
    description: "Mark a comment as resolved, or as open again; it is kept, unlike a deleted one",
    annotations: {
      ...{ readOnlyHint: false, destructiveHint: false },
      ...{ idempotentHint: true, openWorldHint: false },
    },
    input,
    output,
    async run({ filePath: path, commentId, state }, store) {
      const { comment, filePath } = await store.edit(path, commentId, { status: state });
      return {
        text: `✅ Comment is ${state}\n\nComment ID: ${comment.id}\nFile: ${filePath}`,
        value: { id: comment.id, filePath, state },
      };
    },
  });
}
