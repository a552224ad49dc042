import type { Around, CallToolResult } from "@idewire/core/server";

/** Called with the tool and its answer; the answer is undefined if the call failed. */
export type OnAnswer<Context> = (
  context: Context,
  tool: string,
  answer: CallToolResult | undefined,
) => void;

/** Reports the answer of each tool of a server. */
export function reportAnswers<Context>(report: OnAnswer<Context>): Around<Context> {
  return async ({ context, name }, next) => {
    let answer: CallToolResult | undefined;
    try {
      const result = await next();
      answer = result as CallToolResult;
      return result;
    } finally {
      report(context, name, answer);
    }
  };
}
