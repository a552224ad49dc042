import { isObject } from "../rpc/message.ts";
import { createRequestLifecycle, type RequestLifecycle } from "../rpc/request-lifecycle.ts";
import type { Icon, Meta } from "./content.ts";

/** The methods of MCP's legacy era that core itself sends or answers, by name. */
export * as Method from "./method.ts";

/** Cancellation and progress as MCP defines them. */
export const mcpRequestLifecycle: RequestLifecycle = createRequestLifecycle({
  cancelled: "notifications/cancelled",
  progress: "notifications/progress",
});

/** The name and version of one end: `clientInfo` and `serverInfo`. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  /** A display name; since 2025-06-18. */
  readonly title?: string;
  /** Since 2025-11-25, as are the icons and the address. */
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly websiteUrl?: string;
}

/** The members of an {@link Implementation}. */
export const INFO_NAMES: Readonly<Record<keyof Required<Implementation>, true>> = {
  name: true,
  version: true,
  title: true,
  description: true,
  icons: true,
  websiteUrl: true,
};

/** How one end introduces itself, by its options. */
export function infoOf(options: Implementation): Implementation {
  const { name, version, title, description, icons, websiteUrl } = options;
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons !== undefined && { icons }),
    ...(websiteUrl !== undefined && { websiteUrl }),
  };
}

/** The capabilities of one end, by name; the values hold their details. */
export type Capabilities = Readonly<Record<string, unknown>>;

/**
 * All the given capabilities together: objects under one name are merged recursively, so that both keep their
 * `extensions`; of other values under one name the last one applies.
 */
export function mergeCapabilities(...all: readonly (Capabilities | undefined)[]): Capabilities {
  const merged = new Map<string, unknown>();
  for (const [name, value] of all.flatMap((each) => Object.entries(each ?? {}))) {
    const known = merged.get(name);
    merged.set(name, isObject(known) && isObject(value) ? mergeCapabilities(known, value) : value);
  }
  return Object.fromEntries(merged);
}

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: Capabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** A JSON Schema 2020-12 that describes an object. */
export interface ObjectSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** A JSON Schema 2020-12 of any JSON value. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Untrusted hints about a tool; since 2025-03-26 (Server / Tools). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** One entry of `tools/list`. */
export interface ToolDescription {
  readonly name: string;
  /** A display name; since 2025-06-18. */
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: ObjectSchema;
  /** Describes `structuredContent`; since 2025-06-18, and of an object until 2026-07-28. */
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** The target of a completion: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };
