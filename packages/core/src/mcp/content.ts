// What results hold: MCP 2025-11-25, Server / Tools and Server / Resources; the schema's page for the
// members. Which kinds a revision has is in versions.ts.

/** For whom something is, and how much it matters. */
export interface Annotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** 1 is required, 0 may be left out. */
  readonly priority?: number;
  /** ISO 8601; since 2025-06-18. */
  readonly lastModified?: string;
}

/** A picture that stands for something; since 2025-11-25. */
export interface Icon {
  /** An https: or data: URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** Such as `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  /** For which background it was drawn. */
  readonly theme?: "light" | "dark";
}

/** Extra members of anybody's, by reverse domain name. */
export type Meta = Readonly<Record<string, unknown>>;

interface ContentBase {
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** Text for the model, or for the client that called. */
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

/** Sound; since 2025-03-26. */
export interface AudioContent extends ContentBase {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** What is in a resource: text, or bytes as base64. */
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

/** A resource with what is in it. */
export interface EmbeddedResource extends ContentBase {
  readonly type: "resource";
  readonly resource: ResourceContents;
}

/** One entry of `resources/list`. */
export interface ResourceDescription {
  readonly uri: string;
  readonly name: string;
  /** For people to read; since 2025-06-18. */
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
  /** RFC 6570: `{name}` is one segment, `{+path}` is anything; no other operator can be read back. */
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

/** A resource that can be read when it is wanted; since 2025-06-18. */
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
  /** What the tool's `outputSchema` describes; since 2025-06-18. */
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  /** The call failed, and the text says why, for the model to read. */
  readonly isError?: boolean;
  readonly _meta?: Meta;
}

/** A result of one text item for each argument. */
export function textResult(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

/** A value for the client to work with, and the same as JSON text for whoever reads text only. */
export function structuredResult(value: object): CallToolResult {
  return {
    ...textResult(JSON.stringify(value)),
    structuredContent: value as Readonly<Record<string, unknown>>,
  };
}

/** A failure that the model reads. */
export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
