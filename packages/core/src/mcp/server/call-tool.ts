import { RpcError, RpcErrorCode, ToolFailure } from "../../errors.ts";
import { type Call, releaseParams } from "../../rpc/call.ts";
import { describeValue } from "../../text/describe-value.ts";
import { type CallToolResult, errorResult } from "../content.ts";
import { toolResultIn } from "../in-revision.ts";
import { invalidParams } from "../refusals.ts";
import { type Caller, MissingCapability } from "./caller.ts";
import { ServerCall } from "./server-call.ts";
import type { ServerDefinition } from "./server-options.ts";
import type { Tool } from "./tool.ts";

/**
 * Answers `tools/call`, in any revision.
 * @throws RpcError -32602 for an unknown tool and, if the revision requires that, bad arguments; -32600 for a
 * client without the scopes of the tool
 */
export function callTool<Context>(
  server: ServerDefinition<Context>,
  caller: Caller<Context>,
  message: Call,
): CallToolResult | Promise<CallToolResult> {
  const name = message.params?.["name"];
  const tool = typeof name === "string" ? server.tools.get(name) : undefined;
  if (tool === undefined) throw unknownTool(name);
  const call = new ServerCall(message, caller, tool.description.name);
  if (tool.visible?.(call) === false) throw unknownTool(name);
  if (tool.scopes !== undefined) requireScopes(tool.description.name, tool.scopes, caller);
  const loading = tool.load?.();
  return loading === undefined
    ? runTool(server, tool, call)
    : loading.then(() => runTool(server, tool, call));
}

function runTool<Context>(
  server: ServerDefinition<Context>,
  tool: Tool<Context>,
  call: ServerCall<Context>,
): CallToolResult | Promise<CallToolResult> {
  const { message } = call;
  const { traits } = call.caller;
  const args = tool.parse(message.params?.["arguments"] ?? {});
  if (!args.ok) {
    const { argumentErrors = traits.argumentErrors } = server.options;
    return refuseArguments(tool, args.issue, argumentErrors);
  }
  try {
    const result = server.run(call, () => tool.run(args.value, call));
    if (!(result instanceof Promise)) return toolResultIn(traits, result);
    releaseParams(message);
    return result.then(
      (late) => toolResultIn(traits, late),
      (error) => toErrorResult(error, server, call),
    );
  } catch (error) {
    return toErrorResult(error, server, call);
  }
}

function unknownTool(name: unknown): RpcError {
  return invalidParams(`Unknown tool: ${describeValue(name)}`);
}

/** @throws RpcError -32600 unless the client's authorization has all scopes */
function requireScopes(name: string, needed: readonly string[], caller: Caller): void {
  const { scopes = [] } = caller;
  if (needed.every((scope) => scopes.includes(scope))) return;
  caller.onforbidden?.(needed);
  const text = `${name} needs the scopes ${needed.join(" ")}`;
  throw new RpcError(RpcErrorCode.InvalidRequest, text, { requiredScopes: needed });
}

function refuseArguments(
  tool: Tool<never>,
  issue: string,
  as: "tool-result" | "invalid-params",
): CallToolResult {
  if (as === "invalid-params") throw invalidParams(issue);
  return errorResult(`Invalid arguments for ${tool.description.name}: ${issue}`);
}

/** The result for an error of a tool; an unexpected one is reported to the author. */
function toErrorResult<Context>(
  error: unknown,
  { options, reportError }: ServerDefinition<Context>,
  { caller, aborted }: ServerCall<Context>,
): CallToolResult | Promise<CallToolResult> {
  if (error instanceof ToolFailure || error instanceof MissingCapability) {
    return errorResult(error.message);
  }
  // A question that is answered with a later request ends this run by an error, too.
  const isExpected = error instanceof RpcError || aborted || caller.isAsking === true;
  if (isExpected || options.toolErrors === "internal-error") throw error;
  reportError(error);
  const { message } = error instanceof Error ? error : new Error(String(error));
  return redactedError(message);
}

/** Most servers report no such error: the patterns of secrets are loaded for the first one. */
async function redactedError(message: string): Promise<CallToolResult> {
  const { redactSecrets } = await import("../../secrets/find-secrets.ts");
  return errorResult(redactSecrets(message, "[redacted]"));
}
