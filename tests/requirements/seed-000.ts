import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What seed 000 states about the JetBrains plugin, in our own words; the profile `jetbrains` implements it. The
 * source column has the seed's lines.
 */
export const seed000: readonly Statement[] = parseStatements(`
s0:client-and-server | 12-13 | the agent is the client, the editor the server
s0:websocket-json-rpc | 16-17 | JSON-RPC 2.0 over a WebSocket, both ways at once
s0:token-header | 18 | a token in the header X-Claude-Code-Ide-Authorization
s0:endpoint | 19 | the endpoint is ws://localhost:<port>/mcp
s0:message-union | 26-34 | a message is a request, a response, a notification or an error
s0:request | 37-47 | a request has jsonrpc, an id that is a string or number, method and params
s0:request-params-default | 50-58 | omitted params are equivalent to empty ones
s0:response | 61-72 | a response has the id and a result; error null beside it is taken, and never sent
s0:response-either | 75-83 | of result and error one has a value
s0:notification | 86-97 | a notification has no id and gets no answer; selection_changed has file_path and range
s0:initialize | 106-121 | initialize names revision 2024-11-05, capabilities and clientInfo
s0:initialize-answer | 124-140 | the answer has the same revision, capabilities and serverInfo
s0:initialize-capabilities | 124-140 | logging, prompts and resources are announced beside tools | a sample of any MCP server; the IDE server has none of them, and announces what it has
s0:tools-list | 142-150 | tools/list may carry a cursor of null
s0:tools-list-answer | 152-185 | each tool has name, description and an input schema with the required members
s0:next-cursor-null | 182 | nextCursor null means that there are no more pages | leaving it out means the same, and a null fails in clients that check the schema; our client takes it
s0:read-file-sample | 156-167 | a tool read_file | a sample of any MCP server; the plugin's own list (286-328) has none
s0:open-diff-schema | 168-181 | openDiff requires path and contents; the name is optional
s0:open-diff-call | 187-200 | openDiff takes a path that is relative to the project
s0:open-diff-accepted | 202-212 | accepted: FILE_SAVED and the text
s0:open-diff-rejected | 214-223 | rejected: DIFF_REJECTED
s0:ping | 225-231 | ping may carry empty params
s0:ping-answer | 233-238 | its answer is an empty result
s0:initialized | 244-250 | notifications/initialized goes from server to client | MCP and the seed's own diagram (355-359) have it from client to server: that is what is done
s0:ide-connected | 252-260 | notifications/ide_connected sends the client the project_path
s0:selection-changed | 262-274 | notifications/selection_changed has file_path and a range of 0-based positions
s0:list-changed | 276-282 | notifications/tools/list_changed reports a new list of tools
s0:tool-open-file | 289 | open_file opens a file
s0:tool-close-tab | 290 | close_tab closes a tab
s0:tool-list-opened-files | 291 | list_opened_files lists the open files
s0:tool-reformat-file | 292 | reformat_file formats a file
s0:tool-get-cursor | 295 | get_cursor_position returns the position of the cursor
s0:tool-set-cursor | 296 | set_cursor_position moves it
s0:tool-get-selection | 297 | get_selection returns the selection
s0:tool-set-selection | 298 | set_selection selects a range
s0:tool-get-diagnostics | 301-325 | get_diagnostics answers JSON in a text: file_path, line, column, severity, message of each
s0:tool-open-diff | 328 | openDiff shows the change and waits for approval or rejection
s0:connect | 335 | the client connects to that endpoint
s0:token-checked | 336 | the server checks the header
s0:token-refused | 337 | a wrong token is closed as a violation of policy
s0:token-accepted | 338 | with the right one the connection is served
s0:lock-file | 341-348 | .claude-code/<port>.json has port, authToken and projectPath
s0:handshake | 355-359 | initialize, its answer, then notifications/initialized of the client
s0:discovery | 362-365 | tools/list and its answer
s0:execution | 368-372 | tools/call, perhaps with something shown, and the answer
s0:client-pings | 375-378 497 | the client pings every five seconds and is answered
s0:server-pings | 497 | the server pings every five seconds and removes dead connections | the sequence (375-378) has the client ping; this profile answers, and detects dead connections by WebSocket pings
s0:disconnect | 381-384 | when the client closes, its open diffs are cleaned up; the discovery file is removed with the server
s0:error-shape | 391-401 | an error has code and message, and data where there is more to say
s0:parse-error | 404 | -32700 for invalid JSON
s0:invalid-request | 405 | -32600 for an invalid request
s0:method-not-found | 406 | -32601 for an unknown method
s0:invalid-params | 407 | -32602 for invalid params
s0:internal-error | 408 | -32603 for a failure of our own
s0:tool-result | 415-422 | a tool's result is content of text items; isError false is equivalent to its absence
s0:tool-error | 425-432 | a tool's failure is a text and isError true
s0:waits | 440-450 453-454 | a tool may wait for the person while other calls are answered
s0:waits-no-timeout | 455 | waiting ends by a time-out | nobody says how long; the person may take hours, and the agent can cancel
s0:example-session | 461-486 | connect, initialize, initialized, tools/list, openDiff, ping, close
s0:server-notes | 493-496 | libraries and classes of a Kotlin plugin | names of an implementation in another language
s0:client-sends-initialize | 500-504 | a client initializes first, then sends initialized, lists, and accepts success, error and rejection
s0:kotlin-classes | 510-544 | classes of the Kotlin SDK | names of an implementation in another language
s0:next-steps | 550-553 | what the author of the seed wants to do next | no statement about the protocol
`);
