import type { ToolAnnotations } from "@idewire/core/internal";
import { describeValue, modernRevision } from "@idewire/core/internal";
import { IdewireError, RpcError, ToolFailure } from "@idewire/core/rpc";
import {
  type CallToolResult,
  type McpServer,
  type ServerCall,
  type ToolResult,
  toolResult,
} from "@idewire/core/server";
import type * as v from "valibot";
import { CommentError } from "../errors.ts";
import type { CommentStore } from "../store/comment-store.ts";

/** How comment errors are reported: as in seed 003, or as in the specification of MCP. */
export type ErrorStyle = "seed" | "spec";

/** Dependencies of tools, resources and prompts. */
export interface CommentToolContext {
  readonly store: CommentStore;
  /** By default, JSON-RPC errors before revision 2025-11-25 and results from then on. */
  readonly errors?: ErrorStyle | undefined;
}

/** A tool's result: text for the model, a value for programs. */
export interface ToolAnswer<T> {
  readonly text: string;
  readonly value: T;
}

interface CommentToolDefinition<Arguments, Output> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: v.GenericSchema<unknown, Arguments>;
  readonly output: v.GenericSchema<unknown, Output>;
  run(this: void, args: Arguments, store: CommentStore): Promise<ToolAnswer<Output>>;
  /** Replaces the text by other content. */
  content?(this: void, answer: ToolAnswer<Output>): CallToolResult["content"];
}

/** Adds a tool whose errors are reported in the style of the client's era. */
export function commentTool<Arguments, Output extends object>(
  server: McpServer<undefined>,
  context: CommentToolContext,
  { name, run, content, ...options }: CommentToolDefinition<Arguments, Output>,
): void {
  server.tool(name, options, async (args, call) => {
    try {
      const answer = await run(args, context.store);
      return toolResult({
        content: content?.(answer) ?? answer.text,
        structuredContent: { ...answer.value },
      });
    } catch (error) {
      if (error instanceof CommentError) return report(error, call, context);
      // A blank text or a bad pattern, which the model can correct.
      const isBad = error instanceof IdewireError && error.code === "invalid-argument";
      throw isBad ? new ToolFailure(error.message) : error;
    }
  });
}

/** Key of the error in the `_meta` of an error result, for programs. */
const errorKey = "idewire/error";

/** @throws RpcError with the seed's code, if the client's era requires that */
function report(
  error: CommentError,
  call: ServerCall,
  context: CommentToolContext,
): ToolResult<never> {
  if (wantsSeedErrors(call, context)) throw new RpcError(error.code, error.message, error.data);
  const { name, code, data } = error;
  // -32002 must not be sent in the modern era.
  const codeField = isModern(call) && code === -32002 ? {} : { code };
  return toolResult({
    isError: true,
    content: describeError(error),
    // Not structured content, which clients check by the output schema.
    _meta: { [errorKey]: { name, ...codeField, data } },
  });
}

export function wantsSeedErrors(call: ServerCall, { errors }: CommentToolContext): boolean {
  return errors === undefined ? call.revision < "2025-11-25" : errors === "seed";
}

/** Whether the client speaks the modern era, in which fewer error codes are allowed. */
export function isModern(call: ServerCall): boolean {
  return call.revision === modernRevision;
}

/** One line for the model: the problem, the values and the remedy. */
export function describeError({ message, data }: CommentError): string {
  const { suggestion, ...seen } = data;
  const values = Object.entries(seen).map(([key, value]) => `${key}: ${describeValue(value)}`);
  return `${message} (${values.join(", ")}). ${suggestion}.`;
}
