import { type Implementation, McpServer } from "@idewire/core/server";
import type { CommentStore } from "../store/comment-store.ts";
import { ChangeNotices } from "./change-notices.ts";
import type { CommentToolContext, ErrorStyle } from "./comment-tool.ts";
import { explainComplexityPrompt } from "./prompts/explain-complexity.ts";
import { fixOrphansPrompt } from "./prompts/fix-orphans.ts";
import { reviewCodePrompt } from "./prompts/review-code.ts";
import { trainingExportPrompt } from "./prompts/training-export.ts";
import { addCommentResources } from "./resources.ts";
import { addCommentTool } from "./tools/add-comment.ts";
import { deleteCommentTool } from "./tools/delete-comment.ts";
import { editCommentTool } from "./tools/edit-comment.ts";
import { exportCommentsTool } from "./tools/export-comments.ts";
import { getFileCommentsTool } from "./tools/get-file-comments.ts";
import { moveCommentTool } from "./tools/move-comment.ts";
import { replyToCommentTool } from "./tools/reply-to-comment.ts";
import { resolveCommentTool } from "./tools/resolve-comment.ts";
import { searchCommentsTool } from "./tools/search-comments.ts";

export interface CommentServerOptions {
  readonly store: CommentStore;
  /**
   * How errors are reported: with the codes of seed 003, or as tool errors of MCP. By default it depends on the
   * client's revision: codes before 2025-11-25.
   */
  readonly errors?: ErrorStyle | undefined;
  readonly info?: Implementation;
}

/** An MCP server for comments, for any number of clients. */
export interface CommentServer {
  readonly server: McpServer<undefined>;
  /**
   * Call when a source or its comments may have changed: notifies subscribers of changed resources, and all
   * clients when a file gets its first comment or loses its last one.
   */
  readonly changed: (filePath: string) => void;
}

type AddPart = (server: McpServer<undefined>, context: CommentToolContext) => void;

const parts: readonly AddPart[] = [
  ...[addCommentTool, editCommentTool, deleteCommentTool, searchCommentsTool, getFileCommentsTool],
  ...[moveCommentTool, exportCommentsTool, replyToCommentTool, resolveCommentTool],
  addCommentResources,
  ...[reviewCodePrompt, explainComplexityPrompt, trainingExportPrompt, fixOrphansPrompt],
];

/** Tools, resources and prompts for the comments of a workspace (seed 003). */
export function createCommentServer(options: CommentServerOptions): CommentServer {
  const server = new McpServer<undefined>({
    ...(options.info ?? { name: "paired-comments-mcp-server", version: "0.1.0" }),
    instructions:
      "Comments about the code of this workspace, kept beside it and following it. Quote the line when you add one: a wrong number is corrected.",
  });
  for (const add of parts) add(server, options);
  const notices = new ChangeNotices(options.store, server);
  return { server, changed: (filePath) => notices.changed(filePath) };
}
