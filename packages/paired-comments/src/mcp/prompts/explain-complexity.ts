import type { McpServer, PromptOptions } from "@idewire/core/server";
import type { FunctionComplexity } from "../../anchors/syntax/function-complexity.ts";
import { languageOf } from "../../anchors/syntax/languages.ts";
import type { CommentToolContext } from "../comment-tool.ts";
import {
  dataNotice,
  fenced,
  invalidArgument,
  numberedLines,
  reportingPromptErrors,
  userMessage,
} from "./prompt-parts.ts";
import { completePath } from "./review-code.ts";

const usualThreshold = 10;

/** `explain_complexity`: the complex functions of a file, with their code. */
export function explainComplexityPrompt(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  const options = {
    title: "Explain complex code",
    description: "Add NOTE comments explaining complex functions/algorithms",
    arguments: {
      filePath: {
        description: "File to analyze",
        required: true,
        complete: (value) => completePath(context, value),
      },
      complexityThreshold: {
        description: `Cyclomatic complexity threshold, a whole number of 1 or more (default: ${usualThreshold})`,
        required: false,
        complete: (value) => ["5", "10", "15", "20"].filter((each) => each.startsWith(value)),
      },
    },
  } as const satisfies PromptOptions;
  server.prompt(
    "explain_complexity",
    options,
    ({ filePath = "", complexityThreshold = String(usualThreshold) }, call) =>
      reportingPromptErrors(call, context, async () => {
        const threshold = Number(complexityThreshold);
        if (!Number.isSafeInteger(threshold) || threshold < 1) {
          throw invalidArgument(
            "complexityThreshold",
            complexityThreshold,
            "a whole number of 1 or more",
          );
        }
        const { source = "" } = await context.store.file(filePath);
        const functions = await context.store.functions(filePath, source);
        const text = complexityText(filePath, source, functions, threshold);
        return userMessage(`Complex functions of ${filePath}`, text);
      }),
  );
}

function complexityText(
  filePath: string,
  source: string,
  functions: readonly FunctionComplexity[],
  threshold: number,
): string {
  const sorted = [...functions].sort((a, b) => b.complexity - a.complexity);
  const [highest] = sorted;
  if (highest === undefined) return `No functions were found in ${filePath}.`;
  const complex = sorted.filter(({ complexity }) => complexity >= threshold);
  if (complex.length === 0) {
    return `No function of ${filePath} has a cyclomatic complexity of ${threshold} or more. The highest is ${describe(highest)}. Nothing needs a comment for its complexity.`;
  }
  const lines = source.split(/\r\n|\r|\n/);
  const language = languageOf(filePath)?.id ?? "text";
  const parts = complex.map((each) => {
    const code = numberedLines(lines.slice(each.line - 1, each.endLine), each.line);
    return `## ${describe(each)}\n\n${fenced(code, language)}`;
  });
  return `These functions of ${filePath} have a cyclomatic complexity of ${threshold} or more. Explain each to its next reader:

${parts.join("\n\n")}

The numbers are not part of the code. ${dataNotice}

For each function add a NOTE with the tool add_comment: {"filePath": ${JSON.stringify(filePath)}, "line": <its first line>, "quote": "<the text of that line>", "text": "NOTE: <purpose, reasons, invariants>", "tag": "NOTE"}. Add only information that the code does not show.`;
}

function describe({ name, line, endLine, complexity, branches }: FunctionComplexity): string {
  const kinds = branches.slice(0, 4).map(([kind, count]) => `${count} × ${kind}`);
  const by = kinds.length === 0 ? "" : ` (${kinds.join(", ")})`;
  return `${name}, lines ${line}-${endLine}: ${complexity}${by}`;
}
