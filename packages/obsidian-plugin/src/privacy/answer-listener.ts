import type { CallToolResult, Tool } from "@idewire/core/server";

/** Called with the tool and its answer; the answer is undefined if the call failed. */
export type OnAnswer<Context> = (
  context: Context,
  tool: string,
  answer: CallToolResult | undefined,
) => void;

/** Wraps a tool so that each answer is reported. */
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
