import type { PeerConventions } from "../rpc/peer.ts";

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

/** How a Peer cancels and reports progress when it speaks MCP. */
export const mcpConventions: PeerConventions = {
  cancelled: "notifications/cancelled",
  progress: "notifications/progress",
};

/** Who one end is: `clientInfo` and `serverInfo`. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  /** For people to read; since 2025-06-18. */
  readonly title?: string;
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

/** One entry of `tools/list`. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}
