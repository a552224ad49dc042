// The content of results: MCP 2025-11-25, Server / Tools and Server / Resources, and the Schema page for
// the members. versions.ts lists which kinds a revision has.

/** The audience of an item, and its importance. */
export interface Annotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** From 0, optional, to 1, required. */
  readonly priority?: number;
  /** ISO 8601; since 2025-06-18. */
  readonly lastModified?: string;
}

/** An icon of a tool, resource, prompt or implementation; since 2025-11-25. */
export interface Icon {
  /** An https: or data: URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** Such as `48x48` or `any`. */
  readonly sizes?: readonly string[];
  /** The background that it is designed for. */
  readonly theme?: "light" | "dark";
}

/** Extension members; keys have a reverse domain name as prefix. */
export type Meta = Readonly<Record<string, unknown>>;

interface ContentBase {
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** Text for the model or the client. */
export interface TextContent extends ContentBase {
  readonly type: "text";
  readonly text: string;
}

export interface ImageContent extends ContentBase {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** Audio; since 2025-03-26. */
export interface AudioContent extends ContentBase {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** The contents of a resource: text, or bytes as base64. */
export type ResourceContents = TextResourceContents | BlobResourceContents;

export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly _meta?: Meta;
}

export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  /** Base64. */
  readonly blob: string;
  readonly _meta?: Meta;
}

/** A resource with its contents. */
export interface EmbeddedResource extends ContentBase {
  readonly type: "resource";
  readonly resource: ResourceContents;
}

/** One entry of `resources/list`. */
export interface ResourceDescription {
  readonly uri: string;
  readonly name: string;
  /** A display name; since 2025-06-18. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** One entry of `resources/templates/list`. */
export interface ResourceTemplateDescription {
  /**
   * RFC 6570, only with `{name}` for one segment and `{+path}` for any text: others cannot be
   * matched.
   */
  readonly uriTemplate: string;
  readonly name: string;
  /** Since 2025-06-18. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** A link to a resource, which the client can read; since 2025-06-18. */
export interface ResourceLink extends ResourceDescription {
  readonly type: "resource_link";
}

/** An item of a tool's result, or of a prompt's message. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource;

/** The result of `tools/call`. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /**
   * The JSON value that the tool's `outputSchema` describes; since 2025-06-18. A value other than an
   * object is sent as text before 2026-07-28.
   */
  readonly structuredContent?: unknown;
  /** Whether the call failed; the content then explains why, for the model to read. */
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

/** A result with a text item for each argument. */
export function textResult(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

/**
 * A result with a structured value, any JSON value, and the same value as JSON text for clients that
 * read only text.
 */
export function structuredResult(value: unknown): CallToolResult {
  return { ...textResult(JSON.stringify(value)), structuredContent: value };
}

/** A result with both content and a structured value: made by {@link toolResult}. */
export class ToolResult<T = unknown> implements CallToolResult {
  readonly content: readonly ContentBlock[];
  declare readonly structuredContent?: T;
  declare readonly isError?: boolean;
  declare readonly _meta?: Meta;

  /** For {@link toolResult}. */
  constructor(result: ToolResultMembers<T>) {
    Object.assign(this, result);
    const { content } = result;
    this.content = typeof content === "string" ? textResult(content).content : content;
  }
}

/** The members of a {@link ToolResult}. */
export interface ToolResultMembers<T>
  extends Omit<CallToolResult, "content" | "structuredContent"> {
  /** A text, or any content. */
  readonly content: string | readonly ContentBlock[];
  readonly structuredContent?: T;
}

/** The result of a tool with content of its own, such as an image, beside the structured value of its `output`. */
export function toolResult<T = never>(result: ToolResultMembers<T>): ToolResult<T> {
  return new ToolResult(result);
}

/** A result for a failed call, with a text for the model. */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
