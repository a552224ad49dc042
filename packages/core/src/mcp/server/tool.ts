import { IdewireError } from "../../errors.ts";
import type { ParseResult } from "../../parse-result.ts";
import type { Call } from "../../rpc/call.ts";
import type { CallToolResult } from "../content.ts";
import type { ToolDescription } from "../protocol.ts";
import type { ToolInput, ToolOutput } from "../schemas/tool-input.ts";

/** A tool of a server. `Context` is the type of the connection's context. */
export interface Tool<Context> {
  readonly description: ToolDescription;
  /** Whether `tools/list` includes it; an unlisted tool can still be called. */
  readonly listed: boolean;
  parse(args: unknown): ParseResult<unknown>;
  /**
   * @param args the value that `parse` returned
   * @throws ToolFailure for a failure that the model should read
   */
  run(args: never, context: Context, call: Call): CallToolResult | Promise<CallToolResult>;
}

/** The definition of a tool, for {@link defineTool}. */
export interface ToolDefinition<Arguments, Context>
  extends Omit<ToolDescription, "inputSchema" | "outputSchema"> {
  readonly input: ToolInput<Arguments>;
  /** With it, every result but a failure must have `structuredContent`, which is validated. */
  readonly output?: ToolOutput;
  /** True by default. */
  readonly listed?: boolean;
  run(
    this: void,
    args: Arguments,
    context: Context,
    call: Call,
  ): CallToolResult | Promise<CallToolResult>;
}

/** Creates a tool whose arguments are validated before it runs. */
export function defineTool<Arguments, Context = unknown>(
  definition: ToolDefinition<Arguments, Context>,
): Tool<Context> {
  const { input, output, listed = true, run, ...description } = definition;
  const { name } = description;
  return {
    description: {
      ...description,
      inputSchema: input.jsonSchema,
      ...(output !== undefined && { outputSchema: output.jsonSchema }),
    },
    listed,
    parse: (args) => input.parse(args),
    run: (args: Arguments, context, call) => {
      const result = run(args, context, call);
      if (output === undefined) return result;
      return result instanceof Promise
        ? result.then((late) => checked(name, output, late))
        : checked(name, output, result);
    },
  };
}

/**
 * A server MUST conform to its own output schema (MCP 2025-11-25, Server / Tools / Output Schema).
 */
function checked(name: string, output: ToolOutput, result: CallToolResult): CallToolResult {
  if (result.isError === true) return result;
  const parts = output.parse(result.structuredContent);
  if (!parts.ok) {
    throw new IdewireError("invalid-argument", `The result of ${name} is wrong: ${parts.issue}`);
  }
  return { ...result, structuredContent: parts.value };
}
