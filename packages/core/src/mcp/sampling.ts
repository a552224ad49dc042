import { describeValue, isObject } from "../rpc/message.ts";
import type { AudioContent, ContentBlock, ImageContent, Meta, TextContent } from "./content.ts";
import type { ToolDescription } from "./protocol.ts";

// MCP 2025-11-25, Client / Sampling: what both ends share.

/** The method's name. */
export const CREATE_MESSAGE = "sampling/createMessage";

/** The model wants a tool called; since 2025-11-25. */
export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly _meta?: Meta;
}

/** What that call gave; since 2025-11-25. */
export interface ToolResultContent {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

export type SamplingContent =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface SamplingMessage {
  readonly role: "user" | "assistant";
  /** More than one item since 2025-11-25. */
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly _meta?: Meta;
}

/** Which model would be right; the client chooses. */
export interface ModelPreferences {
  /** Parts of names, best first. */
  readonly hints?: readonly { readonly name?: string }[];
  /** Each from 0 to 1. */
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/** What a server asks the client's model. */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly modelPreferences?: ModelPreferences;
  readonly systemPrompt?: string;
  /** Anything but `none` needs a client with `sampling.context` in 2025-11-25. */
  readonly includeContext?: "none" | "thisServer" | "allServers";
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Need a client with `sampling.tools`; since 2025-11-25. */
  readonly tools?: readonly ToolDescription[];
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" };
}

/** What the model says. */
export interface CreateMessageResult extends SamplingMessage {
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or what the provider says. */
  readonly stopReason?: string;
}

/**
 * What is wrong with the order of messages: results of tools stand alone, and answer all that the
 * message before them used (Client / Sampling, Message Content Constraints).
 */
export function findMessagesFault(messages: readonly SamplingMessage[]): string | undefined {
  let open: readonly string[] = [];
  for (const { role, content } of messages) {
    const items = [content].flat();
    const results = items.flatMap((item) => (item.type === "tool_result" ? [item.toolUseId] : []));
    if (results.length > 0 && (role !== "user" || results.length < items.length)) {
      return "Tool results mixed with other content";
    }
    const missing = open.find((id) => !results.includes(id));
    if (missing !== undefined) return `Tool result missing in request: ${describeValue(missing)}`;
    const stray = results.find((id) => !open.includes(id));
    if (stray !== undefined) return `No tool use has the id ${describeValue(stray)}`;
    open = items.flatMap((item) => (item.type === "tool_use" ? [item.id] : []));
  }
  return open.length > 0 ? `Tool result missing in request: ${describeValue(open[0])}` : undefined;
}

/** Whether a value from the wire has the shape of a message. */
export function isMessage(value: unknown): value is SamplingMessage {
  if (!isObject(value)) return false;
  const { role, content } = value;
  const items = Array.isArray(content) ? content : [content];
  const isItem = (item: unknown) => isObject(item) && typeof item["type"] === "string";
  return (role === "user" || role === "assistant") && items.every(isItem);
}
