import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { commentTags } from "../../format/document.ts";
import { isOrphan, type LocatedComment, type LocatedFile } from "../../store/located-comments.ts";
import { type CommentToolContext, commentTool, type ToolAnswer } from "../comment-tool.ts";
import { commentSchema, commentValue, warningsSchema } from "../comment-value.ts";
import { pathSchema } from "../schemas.ts";
import { anchorWords, linesWords, repliesText, withoutTag } from "../texts.ts";

const input = v.object({
  filePath: pathSchema("Path to source file"),
  includeOrphaned: v.optional(
    v.pipe(v.boolean(), v.description("Include orphaned comments (anchors no longer exist)")),
    true,
  ),
});

const output = v.object({
  filePath: v.string(),
  commentCount: v.number(),
  orphanedCount: v.number(),
  comments: v.array(commentSchema),
  warnings: warningsSchema,
});

type Output = v.InferOutput<typeof output>;

export function getFileCommentsTool(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  commentTool<v.InferOutput<typeof input>, Output>(server, context, {
    name: "get_file_comments",
    title: "Get the comments of a file",
    description: "Retrieve all comments and ghost markers for a file",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input,
    output,
    run: async ({ filePath, includeOrphaned }, store) =>
      describeFile(await store.fileWithCandidates(filePath), includeOrphaned),
  });
}

function describeFile(file: LocatedFile, includeOrphaned: boolean): ToolAnswer<Output> {
  const orphaned = file.comments.filter(isOrphan);
  const shown = includeOrphaned ? file.comments : file.comments.filter((each) => !isOrphan(each));
  const counts = commentTags
    .map((tag) => [tag, file.comments.filter(({ comment }) => comment.tag === tag).length] as const)
    .filter(([, count]) => count > 0)
    .map(([tag, count]) => `- ${tag}: ${count}\n`);
  const summary = `📊 Summary:\n- Total comments: ${file.comments.length}\n${counts.join("")}- Orphaned: ${orphaned.length}`;
  const list = shown.map((each, index) => `${index + 1}. ${describeComment(each)}`);
  return {
    text: [`Comments for ${file.filePath}`, summary, "---", ...file.warnings, ...list].join("\n\n"),
    value: {
      filePath: file.filePath,
      commentCount: file.comments.length,
      orphanedCount: orphaned.length,
      comments: shown.map((each) => commentValue(each, file.filePath)),
      warnings: file.warnings,
    },
  };
}

function describeComment(located: LocatedComment): string {
  const { comment, place, anchor } = located;
  const was = isOrphan(located) ? "was on line" : "Line";
  const head = `${comment.tag} (${was} ${linesWords(located)}) - ${comment.id}`;
  const where = isOrphan(located) ? "Orphaned" : `Anchored to: ${anchorWords(anchor)}`;
  const state =
    comment.status === undefined || comment.status === "open" ? "" : ` | ${comment.status}`;
  const doubt = place.status === "ambiguous" ? " | a guess, see the candidates" : "";
  const candidates = place.candidates.map(
    ({ filePath, line, score, text }) =>
      `\n   Perhaps ${filePath === undefined ? "" : `${filePath}, `}line ${line} (${score}): ${text}`,
  );
  return `${head}\n   "${withoutTag(located)}"\n   Author: ${comment.author} | ${where}${state}${doubt}${candidates.join("")}${repliesText(comment)}`;
}
