import { ToolFailure } from "../../errors.ts";
import { type Call, releaseParams } from "../../rpc/call.ts";
import { describeValue } from "../../rpc/message.ts";
import { type CallToolResult, errorResult } from "../content.ts";
import { toolResultIn } from "../in-revision.ts";
import { invalidParams } from "../refusals.ts";
import { type Caller, MissingCapability } from "./caller.ts";
import type { ServerDefinition } from "./server-options.ts";
import type { Tool } from "./tool.ts";

/**
 * Answers `tools/call`, in any revision.
 * @throws RpcError -32602 for an unknown tool and, where the revision wants that, bad arguments
 */
export function callTool<Context>(
  server: ServerDefinition<Context>,
  caller: Caller<Context>,
  call: Call,
): CallToolResult | Promise<CallToolResult> {
  const name = call.params?.["name"];
  const tool = typeof name === "string" ? server.tool(name) : undefined;
  if (tool === undefined) throw invalidParams(`Unknown tool: ${describeValue(name)}`);
  const { traits, context } = caller;
  const args = tool.parse(call.params?.["arguments"] ?? {});
  if (!args.ok) {
    const { argumentErrors = traits.argumentErrors } = server.options;
    return refuseArguments(tool, args.issue, argumentErrors);
  }
  try {
    const result = tool.run(args.value as never, context, call);
    releaseParams(call);
    return result instanceof Promise
      ? result.then((late) => toolResultIn(traits, late), toErrorResult)
      : toolResultIn(traits, result);
  } catch (error) {
    return toErrorResult(error);
  }
}

function refuseArguments(
  tool: Tool<never>,
  issue: string,
  as: "tool-result" | "invalid-params",
): CallToolResult {
  if (as === "invalid-params") throw invalidParams(issue);
  return errorResult(`Invalid arguments for ${tool.description.name}: ${issue}`);
}

function toErrorResult(error: unknown): CallToolResult {
  if (error instanceof ToolFailure || error instanceof MissingCapability) {
    return errorResult(error.message);
  }
  throw error;
}
