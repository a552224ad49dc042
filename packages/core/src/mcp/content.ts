/** Text for the model, or for the client that called (MCP 2025-11-25, Server / Tools). */
export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

/** An item of a tool's result. Kinds that we do not make ourselves pass through as they are. */
export type ContentBlock = TextContent | { readonly type: string; readonly [key: string]: unknown };

/** The result of `tools/call`. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /** The call failed, and the text says why, for the model to read. */
  readonly isError?: boolean;
}

/** A result of one text item for each argument. */
export function textResult(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

/** A failure that the model reads. */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
