import type { McpServer, PromptOptions } from "@idewire/core/server";
import { languageOf } from "../../anchors/syntax/languages.ts";
import type { LocatedFile } from "../../store/located-comments.ts";
import type { CommentToolContext } from "../comment-tool.ts";
import { linesWords } from "../texts.ts";
import {
  dataNotice,
  fenced,
  invalidArgument,
  numberedLines,
  reportingPromptErrors,
  userMessage,
} from "./prompt-parts.ts";

const focuses: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "security",
    [
      "Authentication vulnerabilities",
      "Input validation",
      "Cryptographic issues",
      "Rate limiting",
      "Session management",
    ],
  ],
  [
    "performance",
    [
      "Work repeated in loops",
      "Algorithms with superlinear cost",
      "Blocking input and output",
      "Memory that is retained or copied needlessly",
    ],
  ],
  [
    "maintainability",
    [
      "Duplicated code",
      "Unclear names",
      "Functions that do several things",
      "Missing error handling",
    ],
  ],
]);

/** `review_code`: the source with line numbers, and its existing comments. */
export function reviewCodePrompt(server: McpServer<undefined>, context: CommentToolContext): void {
  const names = [...focuses.keys(), "all"];
  const options = {
    title: "Review code",
    description: "Review code and suggest TODO/FIXME comments for improvements",
    arguments: {
      filePath: {
        description: "File to review",
        required: true,
        complete: (value) => completePath(context, value),
      },
      focus: {
        description: `Review focus area: ${names.join(", ")} (default: all)`,
        required: false,
        complete: (value) => names.filter((name) => name.startsWith(value.toLowerCase())),
      },
    },
  } as const satisfies PromptOptions;
  server.prompt("review_code", options, ({ filePath = "", focus = "all" }, call) =>
    reportingPromptErrors(call, context, async () => {
      const chosen = focus.toLowerCase();
      if (!names.includes(chosen)) throw invalidArgument("focus", focus, names.join(", "));
      const text = reviewText(await context.store.file(filePath), chosen);
      return userMessage(`Review of ${filePath}`, text);
    }),
  );
}

/** Commented files whose paths begin with a text. */
export async function completePath(
  { store }: CommentToolContext,
  value: string,
): Promise<readonly string[]> {
  const { files } = await store.all();
  return files.map(({ filePath }) => filePath).filter((path) => path.startsWith(value));
}

function reviewText(file: LocatedFile, focus: string): string {
  const { filePath, source = "", comments } = file;
  const issues = focus === "all" ? "" : `${focus} `;
  const points = focuses.get(focus) ?? [...focuses.values()].flat();
  const known = comments.map(
    (located) => `- line ${linesWords(located)}, ${located.comment.tag}: ${located.comment.text}`,
  );
  const existing =
    known.length === 0
      ? ""
      : `\n\nThese comments exist already; do not repeat them:\n\n${fenced(known.join("\n"), "text")}`;
  return `Review this code for ${issues}issues and suggest TODO/FIXME comments:

${fenced(numberedLines(source.split(/\r\n|\r|\n/)), languageOf(filePath)?.id ?? "text")}

The numbers are not part of the code. ${dataNotice}${existing}

For each issue found:
1. Identify the specific line number
2. Explain the ${issues || ""}concern
3. Suggest a TODO or FIXME comment
4. Provide a brief fix recommendation

Then add it with the tool add_comment: {"filePath": ${JSON.stringify(filePath)}, "line": <number>, "quote": "<the text of that line>", "text": "TODO: <what to do>", "tag": "TODO" or "FIXME"}. The quote corrects a wrong number.

Focus on:
${points.map((point) => `- ${point}`).join("\n")}`;
}
