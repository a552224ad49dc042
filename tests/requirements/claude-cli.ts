import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What was measured of the published Claude Code CLI as the client of an editor, sections 1 to 6
 * of the report, in our own words. [R] in the source column: read in the bundle, not measured.
 */
export const claudeCli: readonly Statement[] = parseStatements(`
cli:1:root-path | 1, fact 1 | it dials ws://127.0.0.1:<port>/ and takes no host from the lock file
cli:1:needs-subprotocol | 1, fact 2 | a reply without sub-protocol mcp ends the connection
cli:1:tab-closed-accepts | 1, fact 3 | TAB_CLOSED writes the file; only DIFF_REJECTED rejects, so a closed diff must be answered with it
cli:1:calls-unlisted | 1, fact 4 | its own four tools are called whatever tools/list and the capabilities say
cli:1:failed-diff-terminal | 1, fact 4 | after a failed openDiff the terminal asks, says "Opened changes in", and shows no diff
cli:1:deaf-window | 1, fact 5 | notifications before its handlers, up to 20-30 ms after tools/list, are lost without a word
cli:1:forgets-on-reconnect | 1, fact 5 | each re-connect drops the selection
cli:1:resend-each-connection | 1, fact 5 | so a server sends the selection again some 300 ms after the last list request of each connection
cli:1:null-drops | 1, fact 6 | null in text, filePath, lineStart or lineEnd drops the whole notification
cli:1:first-address | 1, fact 7 | re-connects use the first address and token, whatever lock files say by then
cli:1:gives-up | 1, fact 7 | after five failed tries it stays away
cli:1:looks-30s | 1, fact 8 | it looks once a second for 30 s from its start, then only on /ide
cli:1:real-cwd | 1, fact 9 | folders are compared as text with the real path of its cwd
cli:1:raw-uris | 1, fact 10 | file:// + raw path both ways; percent-encoded answers are ignored

cli:2:home-folder | 2, text | ~/.claude/ide is scanned
cli:2:config-dir | 2, text | CLAUDE_CONFIG_DIR/ide is scanned
cli:2:both-folders | 2, text | with CLAUDE_CONFIG_DIR set the home's folder is scanned too
cli:2:wsl-folders | 2, text [R] | on WSL the Windows users' folders are scanned too | read in the bundle only; needs WSL
cli:2:lock-suffix | 2, text | only names that end in .lock count
cli:2:newest-first | 2, text | newest modification time first
cli:2:port-from-name | 2, text | the port is the file name, a port field is ignored
cli:2:name-not-a-port | 2, text | abc.lock is never used, and kept while its pid lives
cli:2:other-fields-ignored | 2, text | useWebSocket, port and host in the lock change nothing
cli:2:transport-ws | 2, table row 1 | transport ws means WebSocket
cli:2:transport-else-sse | 2, table row 1 | anything else, or none, means SSE over HTTP
cli:2:not-json | 2, table row 2 | a file that is not JSON is one folder a line, without pid, over SSE
cli:2:half-written | 2, table row 3 [R] | an empty or cut file is the same, and deleted when its port is silent
cli:2:pid-dead | 2, table row 4 | the lock of a dead pid is deleted at the start
cli:2:pid-missing-answers | 2, table row 5 | without a pid the lock stays if its port answers
cli:2:pid-missing-silent | 2, table row 5 | without a pid and an answering port it is deleted
cli:2:token-missing | 2, table row 6 | without a token it connects and sends no header
cli:2:name-missing | 2, table row 7 | without ideName it connects to "IDE"
cli:2:running-in-windows | 2, table row 8 | runningInWindows changes nothing on Linux
cli:2:folders-empty | 2, table row 9 | no folders, no match
cli:2:folders-string | 2, table row 9 | a string in place of the list, no match
cli:2:cwd-inside | 2, table row 10 | the folder itself and all below it match, also with a trailing slash or .. in the lock
cli:2:folder-below-cwd | 2, table row 11 | a folder below the cwd is offered by /ide only
cli:2:prefix-of-name | 2, table row 12 | ws does not lie in w
cli:2:symlink-in-lock | 2, table row 13 | a link in the lock never matches, even when started through it
cli:2:symlink-cwd | 2, table row 13 | a cwd through a link matches the real path in the lock
cli:2:two-matches | 2, table row 14 | two live matches are as good as none
cli:2:two-matches-dead-port | 2, table row 14 | also when the port of one is dead and its pid lives
cli:2:lock-modes | 2, text | the lock is private, names a live pid, and is there only when the port answers
cli:2:flag-ide | 2, second table | --ide connects
cli:2:no-flag | 2, second table | without anything it does not
cli:2:sse-port | 2, second table | CLAUDE_CODE_SSE_PORT connects without a flag, whatever the folders of that lock
cli:2:sse-port-wins | 2, second table | the lock of that port wins over others
cli:2:sse-port-without-lock | 2, second table | a port that no lock has leaves an ordinary match in use
cli:2:auto-connect-true | 2, second table | CLAUDE_CODE_AUTO_CONNECT_IDE=true connects
cli:2:auto-connect-false | 2, second table | =false beats --ide
cli:2:auto-connect-setting | 2, second table | autoConnectIde in the settings connects
cli:2:code-terminal | 2, second table | FORCE_CODE_TERMINAL connects, but only to a lock whose pid is an ancestor
cli:2:code-terminal-sse-port | 2, second table | CLAUDE_CODE_SSE_PORT lifts that
cli:2:skip-valid-check | 2, second table | CLAUDE_CODE_IDE_SKIP_VALID_CHECK=true makes every lock match
cli:2:host-override | 2, second table | CLAUDE_CODE_IDE_HOST_OVERRIDE is the host of the address
cli:2:enable-ide-integration | 2, second table | ENABLE_IDE_INTEGRATION does nothing
cli:2:skip-auto-install | 2, second table [R] | CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL only stops installing extensions | read in the bundle only; the twin installs nothing
cli:2:http-proxy | 2, second table | HTTP_PROXY does not touch loopback
cli:2:print-mode | 2, second table | -p never connects
cli:2:server-after-client | 2, text | a server that comes while it looks is found
cli:2:server-too-late | 2, text | a later one is not, but /ide lists it at once

cli:3:headers | 3, text | the upgrade: version 13, deflate offered, mcp, user agent, token
cli:3:no-origin | 3, text | no Origin, so a server may refuse every request that has one
cli:3:old-user-agent | 3, text | older versions leave "(cli)" out
cli:3:deflate | 3, bullet 1 | permessage-deflate works when the server takes it
cli:3:text-frames | 3, bullet 1 | text frames only
cli:3:unparsable-skipped | 3, bullet 1 | bad JSON, [], jsonrpc 1.0 and bad notifications are skipped, the connection stays
cli:3:too-big | 3, bullet 2 [R] | a message above 16 MiB closes
cli:3:refused-401 | 3, bullet 3 | 401 at the upgrade ends it after one try
cli:3:closed-1008 | 3, bullet 3 | so does a close 1008 right after opening
cli:3:connect-timeout | 3, bullet 4 | an upgrade may take 30 s
cli:3:calls-wait | 3, bullet 4 [R] | calls have no practical time-out: openDiff may stay open for hours
cli:3:ws-ping | 3, bullet 5 | WebSocket pings are answered
cli:3:json-ping | 3, bullet 5 | JSON-RPC ping, with or without params, number or string id, is answered {}
cli:3:never-pings | 3, bullet 5 | it pings by neither way
cli:3:roots-list | 3, bullet 6 | roots/list gives one root, file:// + cwd
cli:3:unknown-request | 3, bullet 6 | sampling and unknown methods get -32601
cli:3:elicitation | 3, bullet 6 | elicitation/create opens a dialog in the terminal
cli:3:exit-1005 | 3, bullet 7 | on exit: a close frame without a code
cli:3:reconnect-at-once | 3, reconnect | the first try comes at once after a cut or a close 1001
cli:3:reconnect-delays | 3, reconnect | the others after about 1, 2, 4 and 8 s; after the fifth it gives up
cli:3:reconnect-handshake | 3, reconnect | each time the whole handshake, ids from 0, ide_connected again
cli:3:old-never-reconnects | 3, reconnect | 1.0.128 does not come back

cli:4:order | 4, text | initialize 0, initialized, ide_connected, tools/list, prompts/list, resources/list; then ids 1, 2, 3
cli:4:lists-back-to-back | 4, text | the lists go out without waiting for answers
cli:4:lists-by-capability | 4, text | each list only with its capability; {} gives none
cli:4:no-params-key | 4, text | list requests and initialized have no params
cli:4:initialize-params | 4, bullet 1 | 2025-11-25, roots, elicitation and tasks, clientInfo with five keys
cli:4:old-initialize | 4, bullet 1 | 2.0.77 sends {roots:{}}, 1.0.128 also 2025-06-18
cli:4:revisions | 4, bullet 2 | answers of four revisions are accepted
cli:4:unknown-revision | 4, bullet 2 | 1999-01-01 ends it
cli:4:ide-connected-pid | 4, bullet 3 | ide_connected has the pid and nothing else
cli:4:instructions | 4, bullet 4 | instructions reach the model
cli:4:progress-token | 4, bullet 5 | _meta.progressToken equals the id of the call
cli:4:tool-use-id | 4, bullet 5 | the model's calls carry claudecode/toolUseId
cli:4:list-changed | 4, bullet 6 | list_changed leads to a new list, resources to templates too
cli:4:cancelled | 4, bullet 7 | Esc during the model's call sends notifications/cancelled
cli:4:not-cancelled | 4, bullet 7 | openDiff and timed-out getDiagnostics are never cancelled

cli:5:close-all-diffs | 5, first table | closeAllDiffTabs {} starts every prompt
cli:5:open-diff-arguments | 5, first table | openDiff has four arguments, both paths the same and absolute
cli:5:open-diff-modes | 5, first table | not in acceptEdits or auto mode, not with diffTool terminal
cli:5:close-tab-twice | 5, first table | close_tab ends every openDiff: twice after an answer of the editor, once or twice after one in the terminal
cli:5:baseline-call | 5, first table | getDiagnostics {uri} just before an approved edit is written
cli:5:workspace-call | 5, first table | getDiagnostics {} at the next model request and at the next prompt
cli:5:tab-name | 5, text | tab names have the base name and six hex digits, unique per call
cli:5:open-file-unused | 5, text | openFile and the like are never called
cli:5:model-tools | 5, text | the model is offered getDiagnostics and executeCode only, if listed
cli:5:model-asks | 5, text | the model finds them by its tool search and the person must permit the call | happens between model and client, nothing of it crosses the wire
cli:5:saved-text | 5, answers | FILE_SAVED + text: the client writes exactly that text
cli:5:saved-edited | 5, answers | a text unlike the proposal is told to the model as the person's change
cli:5:saved-crlf | 5, answers | CRLF in the text is written as CRLF
cli:5:saved-unchanged | 5, answers | a text equal to the old contents counts as rejected
cli:5:saved-alone | 5, answers | FILE_SAVED without text is an error
cli:5:tab-closed-accepts | 5, answers | TAB_CLOSED accepts as proposed
cli:5:diff-rejected | 5, answers | DIFF_REJECTED rejects, a second item is ignored, the turn ends
cli:5:diff-failed | 5, answers | isError, an error or a lost connection decide nothing: the terminal asks on; close_tab is called
cli:5:terminal-answer | 5, text | decided in the terminal: close_tab, write or not, openDiff is left for ever
cli:5:late-answer | 5, text | the late answer to it is ignored, and the server has to give it
cli:5:diagnostics-shape | 5, diagnostics | one text item: a JSON array of uri and diagnostics
cli:5:baseline-500ms | 5, diagnostics | the baseline must come within 500 ms
cli:5:baseline-stops | 5, diagnostics | after three late ones in a row it asks for no more
cli:5:workspace-2s | 5, diagnostics [R] | the workspace call must come within 2 s
cli:5:edited-files-only | 5, diagnostics | only files edited in this turn or since the last prompt count
cli:5:uri-scheme | 5, diagnostics | entries of other schemes than file:// are skipped
cli:5:baseline-subtracted | 5, diagnostics | what was in the baseline is left out
cli:5:range-missing | 5, diagnostics | one diagnostic without range voids the batch
cli:5:severities | 5, diagnostics | severities in any case get a sign, others a bullet
cli:5:jetbrains-name | 5, diagnostics | the server name of the JetBrains plugin switches baselines off
cli:5:model-text | 5, diagnostics | the model reads base name, sign, [Line 2:5], message, code and source
cli:5:model-text-cut | 5, diagnostics | cut at 4,000 characters

cli:6:no-prefix | 6, text | method names without notifications/; with it they are ignored
cli:6:extra-keys | 6, selection | extra keys pass, numbers need not be whole
cli:6:line-plus-one | 6, selection | 0-based on the wire; 2.1.330 tells the model line + 1
cli:6:old-line-raw | 6, selection | older versions print the 0-based number
cli:6:line-count | 6, selection | end - start + 1 lines, one less when the end is at character 0
cli:6:lines-selected | 6, selection | a text shows "lines selected" and reaches the model with its path
cli:6:text-cut | 6, selection | the text is cut at 2,000 characters
cli:6:file-opened | 6, selection | an empty text with a path: "In a.txt", and the model is told the file
cli:6:context-role | 6, selection | a message of role system, in older versions a reminder of the user's
cli:6:null-selection | 6, selection | selection null or missing changes nothing
cli:6:clear | 6, selection | zero width, no path, empty or absent text clears
cli:6:consumed | 6, selection | one prompt uses it up
cli:6:path-as-given | 6, selection | paths are passed on as they are
cli:6:mention-text | 6, mention | a mention types @ + relative path + space
cli:6:mention-lines | 6, mention | with both lines #L2-3, with equal ones #L2
cli:6:mention-one-line | 6, mention | with one of the two no lines
cli:6:mention-read | 6, mention | the client reads the named lines itself
cli:6:mention-outside | 6, mention | outside the cwd it types ../out/o.txt
cli:6:mention-spaces | 6, mention | names with spaces are not quoted
cli:6:mention-folder | 6, mention | the folder itself gives a bare @
cli:6:log-event | 6, log_event [R] | log_event has a name and data, and is telemetry only
cli:6:no-effect | 6, text | diagnostics_changed, notifications/message and unknown methods do nothing
cli:6:experiment-gates | 6, text [R] | experiment_gates goes to VS Code's own server only | read in the bundle only, never seen on this wire
`);
