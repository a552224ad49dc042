// For authors of MCP servers.

// Errors
export { RpcError, RpcErrorCode, ToolFailure } from "./errors.ts";
// MCP: what both ends share
export {
  type CallToolResult,
  type ContentBlock,
  type Meta,
  type ResourceContents,
  type ToolResult,
  toolResult,
} from "./mcp/content.ts";
export type { LogLevel, LogMessage } from "./mcp/logging.ts";
export type { GetPromptResult, PromptMessage } from "./mcp/prompts.ts";
export type { Implementation, JsonSchema } from "./mcp/protocol.ts";
export type { Root } from "./mcp/roots.ts";
export type { CreateMessageParams, CreateMessageResult, SamplingMessage } from "./mcp/sampling.ts";
// MCP: schemas of tools, prompts and forms
export type {
  FromJsonSchema,
  InferInput,
  InferOutput,
  InputSchema,
  Schema,
} from "./mcp/schemas/infer.ts";
export type { StandardSchema } from "./mcp/schemas/standard-schema.ts";
// MCP: the server
export type { ClientAbility } from "./mcp/server/client-features/ability.ts";
export type { Completer } from "./mcp/server/features/completer.ts";
export { onRootsChanged } from "./mcp/server/features/on-roots-changed.ts";
export type {
  PromptAnswer,
  PromptArgumentOptions,
  PromptHandler,
  PromptOptions,
} from "./mcp/server/features/prompts.ts";
export type {
  ResourceAnswer,
  ResourceHandler,
  ResourceOptions,
} from "./mcp/server/features/resource-options.ts";
export type { HandleOptions } from "./mcp/server/handle.ts";
// MCP: what several instances of a server share
export { memoryStore } from "./mcp/server/memory-store.ts";
export { McpServer } from "./mcp/server/server.ts";
export type { ServerCall } from "./mcp/server/server-call.ts";
export type { ServerConnection } from "./mcp/server/server-connection.ts";
export type { ServerFeature } from "./mcp/server/server-feature.ts";
export type { Around, HandlerResult, McpServerOptions } from "./mcp/server/server-options.ts";
// MCP: extensions
export type { Skill } from "./mcp/server/skills/skill.ts";
export { createSkills } from "./mcp/server/skills/skills.ts";
export type { McpStore } from "./mcp/server/store.ts";
export { becomeTask, tasks } from "./mcp/server/tasks/tasks.ts";
export type { StructuredAnswer, ToolAnswer, ToolHandler, ToolOptions } from "./mcp/server/tool.ts";
export type {} from "./web-types.ts";
