import { IdewireError } from "../../errors.ts";
import type { ParseResult } from "../../parse-result.ts";
import type { Call } from "../../rpc/call.ts";
import type { CallToolResult } from "../content.ts";
import type { ToolDescription } from "../protocol.ts";
import type { ToolInput } from "../schemas/tool-input.ts";

/** A tool as a server holds it. `Context` is what the server knows of the connection. */
export interface Tool<Context> {
  readonly description: ToolDescription;
  /** Whether `tools/list` shows it; it can be called all the same. */
  readonly listed: boolean;
  parse(args: unknown): ParseResult<unknown>;
  /**
   * @param args what `parse` gave
   * @throws ToolFailure for a failure that the model should read
   */
  run(args: never, context: Context, call: Call): CallToolResult | Promise<CallToolResult>;
}

/** What a tool's `structuredContent` is: its JSON Schema, and the check of it. */
export type ToolOutput = ToolInput<unknown>;

/** What {@link defineTool} takes. */
export interface ToolDefinition<Arguments, Context>
  extends Omit<ToolDescription, "inputSchema" | "outputSchema"> {
  readonly input: ToolInput<Arguments>;
  /** With it, each result but a failure has `structuredContent`, which is checked before it leaves. */
  readonly output?: ToolOutput;
  /** True when left out. */
  readonly listed?: boolean;
  run(
    this: void,
    args: Arguments,
    context: Context,
    call: Call,
  ): CallToolResult | Promise<CallToolResult>;
}

/** Makes a tool whose arguments are checked before it runs. */
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

/** The server MUST conform to its own schema (MCP 2025-11-25, Server / Tools / Output Schema). */
function checked(name: string, output: ToolOutput, result: CallToolResult): CallToolResult {
  if (result.isError === true) return result;
  const parts = output.parse(result.structuredContent);
  if (!parts.ok) {
    throw new IdewireError("invalid-argument", `The result of ${name} is wrong: ${parts.issue}`);
  }
  return { ...result, structuredContent: parts.value as Readonly<Record<string, unknown>> };
}
