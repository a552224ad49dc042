// The methods of MCP's legacy era that core itself sends or answers. They are constants of a module, so that a
// bundle contains only those in use.

export const Initialize = "initialize";
export const Ping = "ping";
export const ToolsList = "tools/list";
export const ToolsCall = "tools/call";
export const ResourcesList = "resources/list";
export const ResourceTemplatesList = "resources/templates/list";
export const PromptsList = "prompts/list";
export const Initialized = "notifications/initialized";
export const ToolsListChanged = "notifications/tools/list_changed";
