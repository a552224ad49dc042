import type { McpServer, PromptOptions } from "@idewire/core/server";
import { exportComments } from "../../export/export-comments.ts";
import type { UnreadableFile } from "../../store/comment-requests.ts";
import { isOrphan } from "../../store/located-comments.ts";
import type { CommentToolContext } from "../comment-tool.ts";
import { unreadableText } from "../unreadable.ts";
import {
  dataNotice,
  fenced,
  invalidArgument,
  reportingPromptErrors,
  userMessage,
} from "./prompt-parts.ts";

/** `training_export`: the examples to export, doubtful ones, and the call that exports them. */
export function trainingExportPrompt(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  const options = {
    title: "Export training data",
    description: "Export workspace comments as AI training data (JSONL format)",
    arguments: {
      includeContext: {
        description: "Include code context around comments: true or false (default: true)",
        required: false,
        complete: (value) => ["true", "false"].filter((each) => each.startsWith(value)),
      },
    },
  } as const satisfies PromptOptions;
  server.prompt("training_export", options, ({ includeContext = "true" }, call) =>
    reportingPromptErrors(call, context, async () => {
      const wanted = includeContext.toLowerCase();
      if (wanted !== "true" && wanted !== "false") {
        throw invalidArgument("includeContext", includeContext, "true or false");
      }
      return userMessage("Training data", await exportText(context, wanted === "true"));
    }),
  );
}

async function exportText({ store }: CommentToolContext, withContext: boolean): Promise<string> {
  const contextLines = withContext ? 3 : undefined;
  const unreadable: UnreadableFile[] = [];
  const files = store.each((file) => unreadable.push(file));
  const { content, count, withheld } = await exportComments(files, {
    format: "jsonl",
    contextLines,
  });
  if (count === 0) {
    return `There are no comments to export in this workspace.\n\n${unreadableText(unreadable)}`.trim();
  }
  const all = (await store.all()).files.flatMap(({ comments }) => comments);
  const texts = all.map(({ comment }) => comment.text);
  const lines = String(content).split("\n").slice(0, 3).join("\n");
  const doubts = [
    [all.filter(isOrphan).length, "without code and context"],
    [texts.length - new Set(texts).size, "with the same text as another one"],
    [withheld.length, "left out because they look like secrets"],
    [unreadable.length, ".comments files that cannot be read"],
  ] as const;
  const warnings = doubts.filter(([number]) => number > 0).map(([n, what]) => `- ${n} ${what}\n`);
  const options = withContext ? { includeSourceContext: true, contextLines: 3 } : {};
  return `Prepare the comments of this workspace as training data: ${count} examples.

By tag: ${countsOf(all.map(({ comment }) => comment.tag))}
By author: ${countsOf(all.map(({ comment }) => comment.author))}
By model: ${countsOf(all.map(({ comment }) => comment.aiMeta?.model ?? "none"))}

${warnings.length === 0 ? "Nothing is doubtful.\n" : `Doubtful:\n${warnings.join("")}`}${unreadable.length === 0 ? "" : `\n${unreadableText(unreadable)}\n`}
The first lines:

${fenced(lines, "json")}

${dataNotice} Judge whether these examples are worth training on, say which should be left out and why, then export them with the tool export_comments: ${JSON.stringify({ format: "jsonl", options })}`;
}

function countsOf(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([value, count]) => `${value} ${count}`)
    .join(", ");
}
