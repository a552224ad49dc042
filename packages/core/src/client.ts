// For authors of MCP clients.

// Errors
export { IdewireError, type IdewireErrorCode, RpcError, RpcErrorCode } from "./errors.ts";
// MCP: the client
export { McpClient } from "./mcp/client/client.ts";
export type { McpClientOptions } from "./mcp/client/client-options.ts";
export { elicitation, type FormAnswer, type FormRequest } from "./mcp/client/elicitation.ts";
export type { ClientFeature } from "./mcp/client/feature.ts";

export { resultCache } from "./mcp/client/modern/result-cache.ts";
export type { CheckedToolResult } from "./mcp/client/output-check.ts";

export { Roots } from "./mcp/client/roots.ts";
export { type SamplingHandler, sampling } from "./mcp/client/sampling.ts";
export { listSkills, loadSkill } from "./mcp/client/skills.ts";
export type { Subscription } from "./mcp/client/subscription.ts";
export { resumeTask, tasks } from "./mcp/client/tasks.ts";
export type { CheckedCallOptions } from "./mcp/client/tool-call.ts";
// MCP: what both ends share
export type {
  CallToolResult,
  ContentBlock,
  Meta,
  ResourceContents,
  ResourceDescription,
} from "./mcp/content.ts";
export type { LogLevel, LogMessage } from "./mcp/logging.ts";
export type { GetPromptResult, PromptMessage } from "./mcp/prompts.ts";
export type { Implementation, ToolDescription } from "./mcp/protocol.ts";
export type { Root } from "./mcp/roots.ts";
export type { CreateMessageParams, CreateMessageResult, SamplingMessage } from "./mcp/sampling.ts";
// JSON-RPC: the options of a request
export type { Progress } from "./rpc/call.ts";
export type { RequestOptions } from "./rpc/request-options.ts";
export type {} from "./web-types.ts";
