import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What docs/clients/claude-code.md states about the published Claude Code CLI, each with its section there;
 * `read`: found in the bundle, not measured.
 */
export const claudeCli: readonly Statement[] = parseStatements(`
cli:discovery:looks-30s | Discovery | it looks once a second for 30 s from its start, then only on /ide
cli:discovery:real-cwd | Discovery | folders are compared as text with the real path of its cwd
cli:discovery:home-folder | Discovery | ~/.claude/ide is scanned
cli:discovery:config-dir | Discovery | CLAUDE_CONFIG_DIR/ide is scanned
cli:discovery:both-folders | Discovery | with CLAUDE_CONFIG_DIR set the home's folder is scanned too
cli:discovery:wsl-folders | Discovery, read | on WSL the Windows users' folders are scanned too | read in the bundle only; needs WSL
cli:discovery:lock-suffix | Discovery | only names that end in .lock count
cli:discovery:newest-first | Discovery | newest modification time first
cli:discovery:port-from-name | Discovery | the port is the file name, a port field is ignored
cli:discovery:name-not-a-port | Discovery | abc.lock is never used, and kept while its pid lives
cli:discovery:other-fields-ignored | Discovery | useWebSocket, port and host in the lock change nothing
cli:discovery:transport-ws | Discovery | transport ws means WebSocket
cli:discovery:transport-else-sse | Discovery | anything else, or none, means SSE over HTTP
cli:discovery:not-json | Discovery | a file that is not JSON is one folder a line, without pid, over SSE
cli:discovery:half-written | Discovery, read | an empty or cut file is the same, and deleted when its port is silent
cli:discovery:pid-dead | Discovery | the lock of a dead pid is deleted at the start
cli:discovery:pid-missing-answers | Discovery | without a pid the lock stays if its port answers
cli:discovery:pid-missing-silent | Discovery | without a pid and an answering port it is deleted
cli:discovery:token-missing | Discovery | without a token it connects and sends no header
cli:discovery:name-missing | Discovery | without ideName it connects to "IDE"
cli:discovery:running-in-windows | Discovery | runningInWindows changes nothing on Linux
cli:discovery:folders-empty | Discovery | no folders, no match
cli:discovery:folders-string | Discovery | a string in place of the list, no match
cli:discovery:cwd-inside | Discovery | the folder itself and all below it match, also with a trailing slash or .. in the lock
cli:discovery:folder-below-cwd | Discovery | a folder below the cwd is offered by /ide only
cli:discovery:prefix-of-name | Discovery | ws is not below w
cli:discovery:symlink-in-lock | Discovery | a link in the lock never matches, even when started through it
cli:discovery:symlink-cwd | Discovery | a cwd through a link matches the real path in the lock
cli:discovery:two-matches | Discovery | two live matches count as none
cli:discovery:two-matches-dead-port | Discovery | also when the port of one is dead and its pid lives
cli:discovery:lock-modes | Discovery | the lock is private, names a live pid, and is there only when the port answers
cli:discovery:server-after-client | Discovery | a server that comes while it looks is found
cli:discovery:server-too-late | Discovery | a later one is not, but /ide lists it at once

cli:when-it-connects:flag-ide | When it connects | --ide connects
cli:when-it-connects:no-flag | When it connects | without anything it does not
cli:when-it-connects:sse-port | When it connects | CLAUDE_CODE_SSE_PORT connects without a flag, whatever the folders of that lock
cli:when-it-connects:sse-port-wins | When it connects | the lock of that port wins over others
cli:when-it-connects:sse-port-without-lock | When it connects | a port that no lock has leaves an ordinary match in use
cli:when-it-connects:auto-connect-true | When it connects | CLAUDE_CODE_AUTO_CONNECT_IDE=true connects
cli:when-it-connects:auto-connect-false | When it connects | =false beats --ide
cli:when-it-connects:auto-connect-setting | When it connects | autoConnectIde in the settings connects
cli:when-it-connects:code-terminal | When it connects | FORCE_CODE_TERMINAL connects, but only to a lock whose pid is an ancestor
cli:when-it-connects:code-terminal-sse-port | When it connects | CLAUDE_CODE_SSE_PORT removes that condition
cli:when-it-connects:skip-valid-check | When it connects | CLAUDE_CODE_IDE_SKIP_VALID_CHECK=true makes every lock match
cli:when-it-connects:host-override | When it connects | CLAUDE_CODE_IDE_HOST_OVERRIDE is the host of the address
cli:when-it-connects:enable-ide-integration | When it connects | ENABLE_IDE_INTEGRATION does nothing
cli:when-it-connects:skip-auto-install | When it connects, read | CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL only stops installing extensions | read in the bundle only; the reference client installs nothing
cli:when-it-connects:http-proxy | When it connects | HTTP_PROXY does not touch loopback
cli:when-it-connects:print-mode | When it connects | -p never connects

cli:connection:root-path | Connection | it dials ws://127.0.0.1:<port>/ and takes no host from the lock file
cli:connection:needs-subprotocol | Connection | a reply without sub-protocol mcp ends the connection
cli:connection:headers | Connection | the upgrade: version 13, deflate offered, mcp, user agent, token
cli:connection:no-origin | Connection | no Origin, so a server may refuse every request that has one
cli:connection:old-user-agent | Connection | older versions leave "(cli)" out
cli:connection:deflate | Connection | permessage-deflate works when the server takes it
cli:connection:text-frames | Connection | text frames only
cli:connection:unparsable-skipped | Connection | bad JSON, [], jsonrpc 1.0 and bad notifications are skipped, the connection stays
cli:connection:too-big | Connection, read | a message above 16 MiB closes
cli:connection:refused-401 | Connection | 401 at the upgrade ends it after one try
cli:connection:closed-1008 | Connection | so does a close 1008 right after opening
cli:connection:connect-timeout | Connection | an upgrade may take 30 s
cli:connection:calls-wait | Connection, read | calls have no practical time-out: openDiff may stay open for hours
cli:connection:ws-ping | Connection | WebSocket pings are answered
cli:connection:json-ping | Connection | JSON-RPC ping, with or without params, number or string id, is answered {}
cli:connection:never-pings | Connection | it sends neither kind of ping
cli:connection:roots-list | Connection | roots/list gives one root, file:// + cwd
cli:connection:unknown-request | Connection | sampling and unknown methods get -32601
cli:connection:elicitation | Connection | elicitation/create opens a dialog in the terminal
cli:connection:exit-1005 | Connection | on exit: a close frame without a code

cli:handshake:order | Handshake | initialize 0, initialized, ide_connected, tools/list, prompts/list, resources/list; then ids 1, 2, 3
cli:handshake:lists-back-to-back | Handshake | the lists go out without waiting for answers
cli:handshake:lists-by-capability | Handshake | each list only with its capability; {} gives none
cli:handshake:no-params-key | Handshake | list requests and initialized have no params
cli:handshake:initialize-params | Handshake | 2025-11-25, roots, elicitation and tasks, clientInfo with five keys
cli:handshake:old-initialize | Handshake | 2.0.77 sends {roots:{}}, 1.0.128 also 2025-06-18
cli:handshake:revisions | Handshake | answers of four revisions are accepted
cli:handshake:unknown-revision | Handshake | 1999-01-01 ends it
cli:handshake:ide-connected-pid | Handshake | ide_connected has the pid and nothing else
cli:handshake:instructions | Handshake | instructions reach the model
cli:handshake:list-changed | Handshake | list_changed leads to a new list, resources to templates too

cli:tools:calls-unlisted | Tools | its own four tools are called whatever tools/list and the capabilities say
cli:tools:progress-token | Tools | _meta.progressToken equals the id of the call
cli:tools:tool-use-id | Tools | the model's calls carry claudecode/toolUseId
cli:tools:cancelled | Tools | Esc during the model's call sends notifications/cancelled
cli:tools:not-cancelled | Tools | openDiff and timed-out getDiagnostics are never cancelled
cli:tools:close-all-diffs | Tools | closeAllDiffTabs {} starts every prompt
cli:tools:open-file-unused | Tools | openFile and the like are never called
cli:tools:model-tools | Tools | the model is offered getDiagnostics and executeCode only, if listed
cli:tools:model-asks | Tools | the model finds them by its tool search and the person must permit the call | happens between model and client, not on the wire

cli:diffs:failed-diff-terminal | Diffs | after a failed openDiff the terminal asks, says "Opened changes in", and shows no diff
cli:diffs:open-diff-arguments | Diffs | openDiff has four arguments, both paths the same and absolute
cli:diffs:open-diff-modes | Diffs | not in acceptEdits or auto mode, not with diffTool terminal
cli:diffs:close-tab-twice | Diffs | close_tab ends every openDiff: twice after an answer of the editor, once or twice after one in the terminal
cli:diffs:tab-name | Diffs | tab names have the base name and six hex digits, unique per call
cli:diffs:saved-text | Diffs | FILE_SAVED + text: the client writes exactly that text
cli:diffs:saved-edited | Diffs | a text that differs from the proposal is reported to the model as the person's change
cli:diffs:saved-crlf | Diffs | CRLF in the text is written as CRLF
cli:diffs:saved-unchanged | Diffs | a text equal to the old contents counts as rejected
cli:diffs:saved-alone | Diffs | FILE_SAVED without text is an error
cli:diffs:tab-closed-accepts | Diffs | TAB_CLOSED accepts as proposed; only DIFF_REJECTED rejects, so a closed diff must be answered with it
cli:diffs:diff-rejected | Diffs | DIFF_REJECTED rejects, a second item is ignored, the turn ends
cli:diffs:diff-failed | Diffs | isError, an error or a lost connection decide nothing: the terminal asks on; close_tab is called
cli:diffs:terminal-answer | Diffs | decided in the terminal: close_tab, write or not, openDiff stays unanswered
cli:diffs:late-answer | Diffs | the late answer to it is ignored, but the server must send it

cli:diagnostics:raw-uris | Diagnostics | file:// + raw path both ways; percent-encoded answers are ignored
cli:diagnostics:baseline-call | Diagnostics | getDiagnostics {uri} just before an approved edit is written
cli:diagnostics:workspace-call | Diagnostics | getDiagnostics {} at the next model request and at the next prompt
cli:diagnostics:diagnostics-shape | Diagnostics | one text item: a JSON array of uri and diagnostics
cli:diagnostics:baseline-500ms | Diagnostics | the baseline must come within 500 ms
cli:diagnostics:baseline-stops | Diagnostics | after three late ones in a row it asks for no more
cli:diagnostics:workspace-2s | Diagnostics, read | the workspace call must come within 2 s
cli:diagnostics:edited-files-only | Diagnostics | only files edited in this turn or since the last prompt count
cli:diagnostics:uri-scheme | Diagnostics | entries of other schemes than file:// are skipped
cli:diagnostics:baseline-subtracted | Diagnostics | what was in the baseline is left out
cli:diagnostics:range-missing | Diagnostics | one diagnostic without range voids the batch
cli:diagnostics:severities | Diagnostics | severities in any case get a sign, others a bullet
cli:diagnostics:jetbrains-name | Diagnostics | the server name of the JetBrains plugin switches baselines off
cli:diagnostics:model-text | Diagnostics | the model reads base name, sign, [Line 2:5], message, code and source
cli:diagnostics:model-text-cut | Diagnostics | cut at 4,000 characters

cli:notifications:deaf-window | Notifications | notifications before its handlers, up to 20-30 ms after tools/list, are lost silently
cli:notifications:resend-each-connection | Notifications | so a server sends the selection again some 300 ms after the last list request of each connection
cli:notifications:null-drops | Notifications | null in text, filePath, lineStart or lineEnd drops the whole notification
cli:notifications:no-prefix | Notifications | method names without notifications/; with it they are ignored
cli:notifications:extra-keys | Notifications | extra keys pass, numbers need not be whole
cli:notifications:line-plus-one | Notifications | 0-based on the wire; 2.1.330 sends the model line + 1
cli:notifications:old-line-raw | Notifications | older versions print the 0-based number
cli:notifications:line-count | Notifications | end - start + 1 lines, one less when the end is at character 0
cli:notifications:lines-selected | Notifications | a text shows "lines selected" and reaches the model with its path
cli:notifications:text-cut | Notifications | the text is cut at 2,000 characters
cli:notifications:file-opened | Notifications | an empty text with a path: "In a.txt", and the model receives the file
cli:notifications:context-role | Notifications | a message of role system, in older versions a reminder of the user's
cli:notifications:null-selection | Notifications | selection null or missing changes nothing
cli:notifications:clear | Notifications | zero width, no path, empty or absent text clears
cli:notifications:consumed | Notifications | one prompt uses it up
cli:notifications:path-as-given | Notifications | paths are passed on as they are
cli:notifications:mention-text | Notifications | a mention types @ + relative path + space
cli:notifications:mention-lines | Notifications | with both lines #L2-3, with equal ones #L2
cli:notifications:mention-one-line | Notifications | with one of the two no lines
cli:notifications:mention-read | Notifications | the client reads the named lines itself
cli:notifications:mention-outside | Notifications | outside the cwd it types ../out/o.txt
cli:notifications:mention-spaces | Notifications | names with spaces are not quoted
cli:notifications:mention-folder | Notifications | the folder itself gives a bare @
cli:notifications:log-event | Notifications, read | log_event has a name and data, and is telemetry only
cli:notifications:no-effect | Notifications | diagnostics_changed, notifications/message and unknown methods do nothing
cli:notifications:experiment-gates | Notifications, read | experiment_gates goes to VS Code's own server only | read in the bundle only, never seen on this wire

cli:reconnecting:forgets-on-reconnect | Reconnecting | each re-connect drops the selection
cli:reconnecting:first-address | Reconnecting | re-connects use the first address and token, whatever lock files say by then
cli:reconnecting:gives-up | Reconnecting | after five failed attempts it does not reconnect
cli:reconnecting:reconnect-at-once | Reconnecting | the first try comes at once after a cut or a close 1001
cli:reconnecting:reconnect-delays | Reconnecting | the others after about 1, 2, 4 and 8 s; after the fifth it gives up
cli:reconnecting:reconnect-handshake | Reconnecting | each time the whole handshake, ids from 0, ide_connected again
cli:reconnecting:old-never-reconnects | Reconnecting | 1.0.128 does not come back
`);
