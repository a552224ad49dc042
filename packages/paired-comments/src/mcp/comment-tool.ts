import type { ToolAnnotations } from "@idewire/core/internal";
import { callerOf } from "@idewire/core/internal";
import { type Call, IdewireError, RpcError, ToolFailure } from "@idewire/core/rpc";
import {
  type CallToolResult,
  defineTool,
  structuredResult,
  type Tool,
  valibotInput,
} from "@idewire/core/server";
import type * as v from "valibot";
import { CommentError } from "../errors.ts";
import type { CommentStore } from "../store/comment-store.ts";

/** How errors of comments are told: as seed 003 wants, or as the client's revision of MCP does. */
export type ErrorStyle = "seed" | "spec";

/** What tools, resources and prompts need. */
export interface CommentToolContext {
  readonly store: CommentStore;
  /** By default as the revision wants: JSON-RPC errors before 2025-11-25, results from then on. */
  readonly errors?: ErrorStyle | undefined;
}

/** What a tool says: for the model, and for programs. */
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

/** A tool whose errors are told in the way of the client's era. */
export function commentTool<Arguments, Output extends object>(
  { input, output, run, content, ...description }: CommentToolDefinition<Arguments, Output>,
  context: CommentToolContext,
): Tool<unknown> {
  return defineTool<Arguments>({
    ...description,
    input: valibotInput(input),
    output: valibotInput(output),
    async run(args, _, call) {
      try {
        const answer = await run(args, context.store);
        const result = structuredResult({ ...answer.value });
        return { ...result, content: content?.(answer) ?? [{ type: "text", text: answer.text }] };
      } catch (error) {
        if (error instanceof CommentError) return tell(error, call, context);
        // A blank text, a bad pattern: the model's to mend.
        const isBad = error instanceof IdewireError && error.code === "invalid-argument";
        throw isBad ? new ToolFailure(error.message) : error;
      }
    },
  });
}

/** Where results that are errors say which, for programs. */
const errorKey = "idewire/error";

/** @throws RpcError with the seed's code, where the client's era wants that */
function tell(error: CommentError, call: Call, context: CommentToolContext): CallToolResult {
  if (wantsSeedErrors(call, context)) throw new RpcError(error.code, error.message, error.data);
  const { name, code, data } = error;
  // -32002 must not be sent in the modern era.
  const told = callerOf(call).traits.stateless && code === -32002 ? {} : { code };
  return {
    isError: true,
    content: [{ type: "text", text: describeError(error) }],
    // Not structured content: clients hold that to the schema of what succeeds.
    _meta: { [errorKey]: { name, ...told, data } },
  };
}

export function wantsSeedErrors(call: Call, { errors }: CommentToolContext): boolean {
  if (errors !== undefined) return errors === "seed";
  return callerOf(call).traits.argumentErrors === "invalid-params";
}

/** One line for the model: what is wrong, the values seen, what to do. */
export function describeError({ message, data }: CommentError): string {
  const { suggestion, ...seen } = data;
  const values = Object.entries(seen).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${message} (${values.join(", ")}). ${suggestion}.`;
}
