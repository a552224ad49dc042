// For authors of MCP servers.

// MCP: what both ends share
export {
  type CallToolResult,
  type ContentBlock,
  errorResult,
  type Meta,
  type ResourceContents,
  structuredResult,
  textResult,
} from "./mcp/content.ts";

export type { LogLevel, LogMessage } from "./mcp/logging.ts";
export type { GetPromptResult, PromptMessage } from "./mcp/prompts.ts";
export type { Implementation, JsonSchema } from "./mcp/protocol.ts";
export type { Root } from "./mcp/roots.ts";
export type { CreateMessageParams, CreateMessageResult, SamplingMessage } from "./mcp/sampling.ts";
// MCP: schemas of tools
export { plainInput } from "./mcp/schemas/plain-input.ts";
export { fromJsonSchema } from "./mcp/schemas/schema-validator.ts";
export { fromStandardSchema, type StandardSchema } from "./mcp/schemas/standard-schema.ts";
export { type ToolInput, type ToolOutput, valibotInput } from "./mcp/schemas/tool-input.ts";
// MCP: the modern era of a server

// MCP: the server
export type { Caller } from "./mcp/server/caller.ts";
// MCP: the client's features, as a server uses them
export {
  completeElicitation,
  elicit,
  elicitUrl,
  urlElicitationRequired,
} from "./mcp/server/client-features/elicitation.ts";
export { listRoots, onRootsChanged } from "./mcp/server/client-features/roots.ts";
export { createMessage } from "./mcp/server/client-features/sampling.ts";

// MCP: the server's features
export { type Completer, completion } from "./mcp/server/features/completion.ts";
export { Logging } from "./mcp/server/features/logging.ts";
export { type Prompt, Prompts } from "./mcp/server/features/prompts.ts";
export {
  type Resource,
  Resources,
  type ResourceTemplate,
} from "./mcp/server/features/resources.ts";

export type { HandleOptions } from "./mcp/server/handle.ts";
export { memoryStore } from "./mcp/server/memory-store.ts";
export { modernEra } from "./mcp/server/modern/modern-era.ts";

export { sealedRequestState } from "./mcp/server/modern/rounds.ts";
export { once } from "./mcp/server/once.ts";
export { McpServer } from "./mcp/server/server.ts";

export type { ServerFeature } from "./mcp/server/server-feature.ts";
export type { McpServerOptions } from "./mcp/server/server-options.ts";
// MCP: skills
export type { Skill } from "./mcp/server/skills/skill.ts";
export { createSkills } from "./mcp/server/skills/skills.ts";
export type { McpStore } from "./mcp/server/store.ts";
export { becomeTask, Tasks } from "./mcp/server/tasks/tasks.ts";
export { defineTool, type Tool, type ToolDefinition } from "./mcp/server/tool.ts";
export type {} from "./web-types.ts";
