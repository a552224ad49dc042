import type { McpServer, PromptOptions } from "@idewire/core/server";
import { isOrphan, type LocatedComment, type LocatedFile } from "../../store/located-comments.ts";
import type { CommentToolContext } from "../comment-tool.ts";
import { unreadableText } from "../unreadable.ts";
import { dataNotice, fenced, reportingPromptErrors, userMessage } from "./prompt-parts.ts";
import { completePath } from "./review-code.ts";

/** `fix_orphans`: each orphaned or ambiguous comment, its candidates, and the calls that move it there. */
export function fixOrphansPrompt(server: McpServer<undefined>, context: CommentToolContext): void {
  const options = {
    title: "Fix orphaned comments",
    description: "Analyze orphaned comments and suggest new anchor locations",
    arguments: {
      filePath: {
        description: "File with orphaned comments (omit for all files)",
        required: false,
        complete: (value) => completePath(context, value),
      },
    },
  } as const satisfies PromptOptions;
  server.prompt("fix_orphans", options, ({ filePath }, call) =>
    reportingPromptErrors(call, context, async () => {
      const { store } = context;
      const { files: listed, errors } =
        filePath === undefined ? await store.all() : { files: [{ filePath }], errors: [] };
      const files: LocatedFile[] = [];
      for (const each of listed) files.push(await store.fileWithCandidates(each.filePath));
      const texts = [orphansText(files, errors.length > 0), unreadableText(errors)];
      return userMessage("Orphaned comments", texts.filter((text) => text !== "").join("\n\n"));
    }),
  );
}

function orphansText(files: readonly LocatedFile[], areSomeUnread: boolean): string {
  const lost = files
    .map(({ filePath, comments }) => ({ filePath, orphans: comments.filter(isLost) }))
    .filter(({ orphans }) => orphans.length > 0);
  if (lost.length === 0) {
    if (areSomeUnread) return "No comment that can be read has lost its code.";
    return "No comment has lost its code: there is nothing to do.";
  }
  const parts = lost.map(({ filePath, orphans }) => {
    const each = orphans.map((located) => describe(located, filePath));
    return `## ${filePath}\n\n${each.join("\n\n")}`;
  });
  return `These comments have lost their code, or their place is a guess. Find out where that code went, then move each comment with the tool move_comment, or delete it with delete_comment if it is obsolete.

${parts.join("\n\n")}

${dataNotice} Take the first candidate only after you have read the code there; the quote guards against a wrong number.`;
}

function isLost(located: LocatedComment): boolean {
  return isOrphan(located) || located.place.status === "ambiguous";
}

function describe({ comment, marker, place }: LocatedComment, filePath: string): string {
  const was = marker.tracking?.quote.exact ?? "";
  const candidates = place.candidates.map((candidate, index) => {
    const { line, score, text, filePath: targetFile = filePath } = candidate;
    const args = {
      sourceFile: filePath,
      targetFile,
      commentId: comment.id,
      targetLine: line,
      quote: text,
    };
    const where = targetFile === filePath ? "" : `${targetFile}, `;
    return `${index + 1}. ${where}line ${line}, score ${score}: move_comment ${JSON.stringify(args)}`;
  });
  const offered =
    candidates.length === 0
      ? "No similar code was found."
      : `Candidates:\n${candidates.join("\n")}`;
  return `### ${comment.id} (${comment.tag}, was on line ${marker.line}: ${place.how})

${fenced(comment.text, "text")}

Its line was:

${fenced(was, "text")}

${offered}`;
}
