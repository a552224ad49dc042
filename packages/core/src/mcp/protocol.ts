import { createRequestLifecycle, type RequestLifecycle } from "../rpc/request-lifecycle.ts";
import type { Icon, Meta } from "./content.ts";

/** The method names of MCP's legacy era that we send or answer. */
export const Method = {
  Initialize: "initialize",
  Ping: "ping",
  ToolsList: "tools/list",
  ToolsCall: "tools/call",
  ResourcesList: "resources/list",
  ResourceTemplatesList: "resources/templates/list",
  PromptsList: "prompts/list",
  RootsList: "roots/list",
  Initialized: "notifications/initialized",
  ToolsListChanged: "notifications/tools/list_changed",
} as const;

/** Which capability of the client a request to it needs (MCP 2025-11-25, Lifecycle). */
export const clientCapabilityOf: ReadonlyMap<string, string> = new Map([
  ["roots/list", "roots"],
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
]);

/** How a Peer cancels and reports progress when it speaks MCP. */
export const mcpRequestLifecycle: RequestLifecycle = createRequestLifecycle({
  cancelled: "notifications/cancelled",
  progress: "notifications/progress",
});

/** Who one end is: `clientInfo` and `serverInfo`. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  /** For people to read; since 2025-06-18. */
  readonly title?: string;
  /** Since 2025-11-25, as are the icons and the address. */
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly websiteUrl?: string;
}

/** What one end can do. Each key that is there is a capability; its value holds the details. */
export type Capabilities = Readonly<Record<string, unknown>>;

export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: Capabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** JSON Schema 2020-12 of an object. */
export interface ObjectSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** Hints about a tool, which a client must not rely on; since 2025-03-26 (Server / Tools). */
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
  /** For people to read; since 2025-06-18. */
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: ObjectSchema;
  /** What `structuredContent` is; since 2025-06-18. */
  readonly outputSchema?: ObjectSchema;
  readonly annotations?: ToolAnnotations;
  /** Since 2025-11-25. */
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** What is being completed: an argument of a prompt, or a variable of a template. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };
