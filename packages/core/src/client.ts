// For authors of MCP clients.

// MCP: the client
export { type ClientFeature, McpClient, type McpClientOptions } from "./mcp/client/client.ts";
export type { ResultCache } from "./mcp/client/client-era.ts";
export { type CompletionQuestion, type Completions, complete } from "./mcp/client/completion.ts";
export {
  type ElicitationOptions,
  elicitation,
  type FormAnswer,
  type FormRequest,
  onElicitationComplete,
  requiredElicitations,
} from "./mcp/client/elicitation.ts";
export { listen, onListChanged } from "./mcp/client/listen.ts";
export { onLogMessage, setLogLevel } from "./mcp/client/logging.ts";
export type { HeaderTransport } from "./mcp/client/modern/header-transport.ts";
export {
  type ModernClientEraOptions,
  modernClientEra,
} from "./mcp/client/modern/modern-client-era.ts";
export { resultCache } from "./mcp/client/modern/result-cache.ts";
export { getPrompt, listPrompts, promptPages } from "./mcp/client/prompts.ts";
export { type OpenTransport, reopening } from "./mcp/client/reopening.ts";
export {
  listResources,
  listResourceTemplates,
  readResource,
  resourcePages,
  subscribeResource,
} from "./mcp/client/resources.ts";
export { Roots } from "./mcp/client/roots.ts";
export { type SamplingHandler, type SamplingOptions, sampling } from "./mcp/client/sampling.ts";
export {
  type LoadedSkill,
  type LoadSkillOptions,
  listSkills,
  loadSkill,
} from "./mcp/client/skills.ts";
export type { ListenOptions, ListenTopics, Subscription } from "./mcp/client/subscription.ts";
export { type FollowOptions, resumeTask, tasks } from "./mcp/client/tasks.ts";
// MCP: what both ends share
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  Meta,
  ResourceContents,
  ResourceDescription,
  ResourceLink,
  ResourceTemplateDescription,
  TextContent,
  TextResourceContents,
} from "./mcp/content.ts";
export type { UrlElicitation, UrlOutcome } from "./mcp/elicitation.ts";
export type { FormContent } from "./mcp/elicitation-form.ts";
export type { LogLevel, LogMessage } from "./mcp/logging.ts";
export type {
  GetPromptResult,
  PromptArgument,
  PromptArguments,
  PromptDescription,
  PromptMessage,
} from "./mcp/prompts.ts";
export type {
  Capabilities,
  CompletionReference,
  Implementation,
  InitializeResult,
  ToolDescription,
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
export type {} from "./web-types.ts";
