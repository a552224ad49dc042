import { isObject } from "../rpc/message.ts";
import { describeValue } from "../text/describe-value.ts";
import type { AudioContent, ContentBlock, ImageContent, Meta, TextContent } from "./content.ts";
import type { ToolDescription } from "./protocol.ts";

// MCP 2025-11-25, Client / Sampling: what both ends share.

/** The method's name. */
export const CREATE_MESSAGE = "sampling/createMessage";

/** The model's request to call a tool; since 2025-11-25. */
export interface ToolUseContent {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly _meta?: Meta;
}

/** The result of such a call; since 2025-11-25. */
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
  /** A list since 2025-11-25. */
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly _meta?: Meta;
}

/** Preferences about the model; the client chooses. */
export interface ModelPreferences {
  /** Substrings of model names, most preferred first. */
  readonly hints?: readonly { readonly name?: string }[];
  /** Each from 0 to 1. */
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/** The parameters of `sampling/createMessage`. */
export interface CreateMessageParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly modelPreferences?: ModelPreferences;
  readonly systemPrompt?: string;
  /** In 2025-11-25 anything but `none` requires the client capability `sampling.context`. */
  readonly includeContext?: "none" | "thisServer" | "allServers";
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Requires the client capability `sampling.tools`; since 2025-11-25. */
  readonly tools?: readonly ToolDescription[];
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" };
}

/** The model's answer. */
export interface CreateMessageResult extends SamplingMessage {
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a value of the provider. */
  readonly stopReason?: string;
}

/**
 * What is wrong with the order of messages: a message with tool results contains nothing else, and
 * answers every tool use of the message before it (Client / Sampling, Message Content Constraints).
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

/** Whether a received value has the shape of a message. */
export function isMessage(value: unknown): value is SamplingMessage {
  if (!isObject(value)) return false;
  const { role, content } = value;
  const items = Array.isArray(content) ? content : [content];
  const isItem = (item: unknown) => isObject(item) && typeof item["type"] === "string";
  return (role === "user" || role === "assistant") && items.every(isItem);
}
