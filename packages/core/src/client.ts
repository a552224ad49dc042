// For authors of MCP clients.

// MCP: the client
export {
  type CheckedCallOptions,
  type CompletionQuestion,
  type Completions,
  McpClient,
} from "./mcp/client/client.ts";
export type { McpClientOptions } from "./mcp/client/client-options.ts";
export {
  type ElicitationOptions,
  elicitation,
  type FormAnswer,
  type FormRequest,
  requiredElicitations,
} from "./mcp/client/elicitation.ts";
export type { ClientFeature, ClientSession } from "./mcp/client/feature.ts";
export type { HeaderTransport } from "./mcp/client/modern/header-transport.ts";
export { resultCache } from "./mcp/client/modern/result-cache.ts";
export type { CheckedToolResult } from "./mcp/client/output-check.ts";
export type { OpenTransport } from "./mcp/client/reopening.ts";
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
