import type { ContentBlock, Icon, Meta } from "./content.ts";

// MCP 2025-11-25, Server / Prompts: what both ends share.

/** An argument of a prompt; its value is always a string. */
export interface PromptArgument {
  readonly name: string;
  /** Since 2025-06-18. */
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** One entry of `prompts/list`. */
export interface PromptDescription {
  readonly name: string;
  /** Since 2025-06-18. */
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** The result of `prompts/get`. */
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Meta;
}

/** The arguments of a prompt by name: all required ones, and any of the others. */
export type PromptArguments = Readonly<Record<string, string>>;
