import type { CallToolResult, Tool } from "@idewire/core";

/** Hears which tool was called, and what it answered; undefined when it failed. */
export type OnAnswer<Context> = (
  context: Context,
  tool: string,
  answer: CallToolResult | undefined,
) => void;

/** A tool whose answers somebody hears of. */
export function withAnswerListener<Context>(
  tool: Tool<Context>,
  emit: OnAnswer<Context>,
): Tool<Context> {
  return {
    ...tool,
    async run(args, context, call) {
      let answer: CallToolResult | undefined;
      try {
        answer = await tool.run(args, context, call);
        return answer;
      } finally {
        emit(context, tool.description.name, answer);
      }
    },
  };
}
