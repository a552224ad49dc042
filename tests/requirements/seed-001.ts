import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What seed 001 requires of a Neovim plugin, in our own words; the profile `neovim` implements it. The source
 * column has the seed's lines.
 */
export const seed001: readonly Statement[] = parseStatements(`
s1:json-rpc | 5 | JSON-RPC 2.0
s1:mcp | 6 | it is MCP: the official client's handshake and calls work
s1:minimum-version | 7 | 2025-03-26 is the oldest revision that is agreed on
s1:mcp-01 | 15 | initialize is answered with the server's capabilities
s1:mcp-02 | 16 | the initialized notification is accepted
s1:mcp-03 | 17 | tools/list is answered with the tools
s1:mcp-04 | 18 | tools/call runs a tool and is answered with its result
s1:mcp-05 | 19 | the server's name is "Claude Code Neovim MCP"
s1:sequence | 23-41 | initialize, its answer, initialized, tools/list, tools/call
s1:initialize-answer | 45-60 | the answer to a string id has it, revision, capabilities with tools, and serverInfo
s1:request | 66-73 | a request has jsonrpc, id, method and params
s1:response | 77-83 | a response has jsonrpc, the id and a result
s1:error-response | 87-96 | an error has the id, a code and "Method not found" for an unknown method
s1:notification | 100-106 | a notification has no id
s1:method-initialize | 114 | initialize comes from the agent
s1:method-initialized | 115 | notifications/initialized comes from the agent
s1:method-tools-list | 116 | tools/list comes from the agent
s1:method-tools-call | 117 | tools/call comes from the agent
s1:method-cancelled | 118 | notifications/cancelled of the agent ends a call, which is not answered then
s1:selection-changed | 124 | selection_changed is sent when the selection changes
s1:at-mentioned | 125 | at_mentioned is sent when the person mentions something
s1:diagnostics-changed | 126 | diagnostics_changed is sent when diagnostics change
s1:log-event | 127 | log_event is sent when the editor has something to log
s1:parse-error | 133 | -32700 for invalid JSON
s1:invalid-request | 134 | -32600 for JSON that is not JSON-RPC
s1:method-not-found | 135 | -32601 for a method that is not supported
s1:invalid-params | 136 | -32602 for invalid parameters
s1:internal-error | 137 | -32603 for a failure of our own
`);
