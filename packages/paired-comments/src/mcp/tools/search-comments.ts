import { countOf } from "@idewire/core/internal/base";
import type { McpServer } from "@idewire/core/server";
import * as v from "valibot";
import { type FoundComment, searchComments } from "../../search/search.ts";
import { type CommentToolContext, commentTool } from "../comment-tool.ts";
import { commentSchema, commentValue } from "../comment-value.ts";
import { tagSchema } from "../schemas.ts";
import { repliesText } from "../texts.ts";

const time = v.pipe(v.string(), v.description("ISO 8601"));

const input = v.object({
  query: v.pipe(v.string(), v.minLength(1), v.description("Search query (supports regex)")),
  filters: v.exactOptional(
    v.pipe(
      v.object({
        tag: v.exactOptional(tagSchema),
        author: v.exactOptional(v.string()),
        filePath: v.exactOptional(
          v.pipe(v.string(), v.description("Filter by specific file or glob pattern")),
        ),
        hasAIMetadata: v.exactOptional(
          v.pipe(v.boolean(), v.description("Only return AI-enriched comments")),
        ),
        dateRange: v.exactOptional(
          v.object({ start: v.exactOptional(time), end: v.exactOptional(time) }),
        ),
      }),
      v.description("Optional filters to narrow results"),
    ),
  ),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(1000),
      v.description("Max results to return"),
    ),
    100,
  ),
});

const output = v.object({
  totalResults: v.number(),
  query: v.string(),
  results: v.array(commentSchema),
  unreadable: v.array(v.string()),
});

type Output = v.InferOutput<typeof output>;

export function searchCommentsTool(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  commentTool<v.InferOutput<typeof input>, Output>(server, context, {
    name: "search_comments",
    title: "Search comments",
    description: "Search comments by text query with optional filters",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input,
    output,
    async run({ query, filters = {}, limit }, store) {
      const { files, errors } = await store.all();
      const found = searchComments(files, { query, ...filters });
      const shown = found.slice(0, limit);
      const unreadable = errors.map(({ filePath }) => filePath);
      return {
        text: describeFound(found.length, shown, unreadable),
        value: {
          totalResults: found.length,
          query,
          results: shown.map((each) => commentValue(each, each.filePath)),
          unreadable,
        },
      };
    },
  });
}

function describeFound(
  total: number,
  shown: readonly FoundComment[],
  unreadable: readonly string[],
): string {
  const first = shown.length < total ? `, the first ${shown.length} of them` : "";
  const head = `Found ${countOf(total, "matching comment")}${first}:`;
  const list = shown.map((found, index) => describe(found, index + 1));
  const broken = unreadable.map((path) => `${path}.comments cannot be read`);
  return [head, ...list, ...broken].join("\n\n");
}

function describe({ comment, place, filePath }: FoundComment, number: number): string {
  const { aiMeta } = comment;
  const confidence = aiMeta?.confidence === undefined ? "" : ` (confidence: ${aiMeta.confidence})`;
  const ai = aiMeta === undefined ? "" : `\n   AI: ${aiMeta.model ?? "unknown"}${confidence}`;
  return `${number}. 📝 ${filePath}:${place.line} (${comment.tag})\n   "${comment.text}"\n   Author: ${comment.author} | Created: ${comment.created}${ai}${repliesText(comment)}`;
}
