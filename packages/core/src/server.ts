// For authors of MCP servers.

// MCP: schemas of tools, prompts and forms
export type { SchemaValidator } from "./json-schema/validator.ts";
// MCP: what both ends share
export {
  type Annotations,
  type AudioContent,
  type BlobResourceContents,
  type CallToolResult,
  type ContentBlock,
  type EmbeddedResource,
  type Icon,
  type ImageContent,
  type Meta,
  type ResourceContents,
  type ResourceLink,
  type TextContent,
  type TextResourceContents,
  type ToolResult,
  toolResult,
} from "./mcp/content.ts";
export type { UrlElicitation, UrlOutcome } from "./mcp/elicitation.ts";
export type { FormContent } from "./mcp/elicitation-form.ts";
export type { LogLevel, LogMessage } from "./mcp/logging.ts";
export type {
  GetPromptResult,
  PromptArgument,
  PromptArguments,
  PromptMessage,
} from "./mcp/prompts.ts";
export type {
  Capabilities,
  Implementation,
  JsonSchema,
  ObjectSchema,
  ToolAnnotations,
} from "./mcp/protocol.ts";
export type { Root } from "./mcp/roots.ts";
export type {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from "./mcp/sampling.ts";
export type {
  FromJsonSchema,
  InferInput,
  InferOutput,
  InputSchema,
  Schema,
} from "./mcp/schemas/infer.ts";
export type { StandardSchema } from "./mcp/schemas/standard-schema.ts";
// MCP: the server
export type { CacheHint, CacheHints } from "./mcp/server/cache-hints.ts";
export type { AskOptions } from "./mcp/server/caller.ts";
export type { ClientAbility } from "./mcp/server/client-features/ability.ts";
export type { ElicitOutcome } from "./mcp/server/client-features/elicitation.ts";
export type { Conversation, OpenOptions } from "./mcp/server/conversation.ts";
export type { Completer, CompletionContext } from "./mcp/server/features/completer.ts";
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
export type { UriVariables } from "./mcp/server/features/uri-template.ts";
export type { Answer, HandleOptions } from "./mcp/server/handle.ts";
// MCP: what several instances of a server share
export { type MemoryStoreOptions, memoryStore } from "./mcp/server/memory-store.ts";
export { McpServer } from "./mcp/server/server.ts";
export type { ServerCall } from "./mcp/server/server-call.ts";
export type { ConnectOptions, ServerConnection } from "./mcp/server/server-connection.ts";
export type { ServerFeature } from "./mcp/server/server-feature.ts";
export type { Around, HandlerResult, McpServerOptions } from "./mcp/server/server-options.ts";
// MCP: extensions
export type { Skill, SkillFile } from "./mcp/server/skills/skill.ts";
export { createSkills, type SkillsOptions } from "./mcp/server/skills/skills.ts";
export type { McpStore } from "./mcp/server/store.ts";
export {
  becomeTask,
  type TaskOptions,
  type TasksOptions,
  tasks,
} from "./mcp/server/tasks/tasks.ts";
export type { StructuredAnswer, ToolAnswer, ToolHandler, ToolOptions } from "./mcp/server/tool.ts";
export type {} from "./web-types.ts";
