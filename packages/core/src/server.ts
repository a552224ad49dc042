// For authors of MCP servers.

// MCP: what both ends share
export {
  type Annotations,
  type AudioContent,
  type BlobResourceContents,
  type CallToolResult,
  type ContentBlock,
  type EmbeddedResource,
  errorResult,
  type Icon,
  type ImageContent,
  type Meta,
  type ResourceContents,
  type ResourceLink,
  structuredResult,
  type TextContent,
  type TextResourceContents,
  textResult,
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
// MCP: schemas of tools
export { plainInput } from "./mcp/schemas/plain-input.ts";
export {
  fromJsonSchema,
  outputFromJsonSchema,
  type SchemaValidator,
} from "./mcp/schemas/schema-validator.ts";
export { fromStandardSchema, type StandardSchema } from "./mcp/schemas/standard-schema.ts";
export { type ToolInput, type ToolOutput, valibotInput } from "./mcp/schemas/tool-input.ts";
// MCP: the modern era of a server
export type { CacheHint, CacheHints } from "./mcp/server/cache-hints.ts";

// MCP: the server
export type { AskOptions, Caller, Question } from "./mcp/server/caller.ts";
// MCP: the client's features, as a server uses them
export {
  completeElicitation,
  type ElicitOutcome,
  elicit,
  elicitUrl,
  urlElicitationRequired,
} from "./mcp/server/client-features/elicitation.ts";
export { listRoots, onRootsChanged } from "./mcp/server/client-features/roots.ts";
export { createMessage } from "./mcp/server/client-features/sampling.ts";
export type { Conversation, OpenOptions } from "./mcp/server/conversation.ts";
// MCP: the server's features
export {
  type Completer,
  type CompletionContext,
  type CompletionSource,
  completion,
} from "./mcp/server/features/completion.ts";
export { Logging, type LoggingOptions } from "./mcp/server/features/logging.ts";
export { type Prompt, Prompts, type PromptsOptions } from "./mcp/server/features/prompts.ts";
export {
  type ReadOutcome,
  type Resource,
  Resources,
  type ResourcesOptions,
  type ResourceTemplate,
} from "./mcp/server/features/resources.ts";
export type { UriVariables } from "./mcp/server/features/uri-template.ts";
export type { Answer, HandleOptions } from "./mcp/server/handle.ts";
export { type MemoryStoreOptions, memoryStore } from "./mcp/server/memory-store.ts";
export { type ModernEraOptions, modernEra } from "./mcp/server/modern/modern-era.ts";
export type { SealOptions } from "./mcp/server/modern/request-state.ts";
export { sealedRequestState } from "./mcp/server/modern/rounds.ts";
export { once } from "./mcp/server/once.ts";
export { McpServer } from "./mcp/server/server.ts";
export type { ConnectOptions, ServerConnection } from "./mcp/server/server-connection.ts";
export type { ServerFeature } from "./mcp/server/server-feature.ts";
export type { McpServerOptions } from "./mcp/server/server-options.ts";
// MCP: skills
export type { Skill, SkillFile } from "./mcp/server/skills/skill.ts";
export { createSkills, type Skills, type SkillsOptions } from "./mcp/server/skills/skills.ts";
export type { McpStore } from "./mcp/server/store.ts";
export {
  becomeTask,
  type TaskOptions,
  Tasks,
  type TasksOptions,
} from "./mcp/server/tasks/tasks.ts";
export { defineTool, type Tool, type ToolDefinition } from "./mcp/server/tool.ts";
export type {} from "./web-types.ts";
