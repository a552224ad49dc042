import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What seed 002 states about the Claude Code plugins, in our own words; the profile `claude-code-spec` implements it.
 * The source column has the seed's lines.
 */
export const seed002: readonly Statement[] = parseStatements(`
s2:overview | 9-38 | lock file, WebSocket with token and sub-protocol, MCP, then notifications and calls both ways
s2:lock-location | 45-47 | the lock file is ~/.claude/ide/<port>.lock
s2:lock-config-dir-setting | 50 | a plugin setting overrides the directory | a library has no settings of a plugin: listenIde takes env, and a plugin passes its setting there
s2:lock-config-dir | 51 | the environment variable CLAUDE_CONFIG_DIR overrides the directory
s2:lock-format | 55-64 675-684 | the lock file is an object with six members
s2:lock-folders | 68 | workspaceFolders lists the folders
s2:lock-folders-posix | 68 504 | on Windows the folders in the lock file are written as /c/Users | the published client would never match such a folder, and the lock file is shared by all who read that directory: native paths there (docs/reference/seeds.md)
s2:lock-pid | 69 547 | pid is the live process that serves
s2:lock-ide-name | 70 | ideName is the editor's name
s2:lock-transport | 71 | transport is "ws"
s2:lock-windows | 72 | runningInWindows is true on Windows alone
s2:lock-token | 73 517-522 544 650 | authToken is 64 random bytes in base64url, another one for each server
s2:endpoint | 79-81 85 656 | the address is ws://<host>:<port>/mcp
s2:host | 83 545 | 127.0.0.1 by default
s2:port | 84 526-530 651 | any free port, which is the lock file's name
s2:sub-protocol | 91 534 657 | the sub-protocol mcp is selected when requested, and another one alone is refused
s2:sub-protocol-required | 535-540 | a client without a sub-protocol is refused | opencode requests none; it is admitted with its token (docs/reference/seeds.md)
s2:token-header | 92 658 | the header X-Claude-Code-Ide-Authorization has the token
s2:token-valid | 96-109 | with the token: 101, and the connection is open
s2:token-invalid | 96-109 | without: closed with 1008 and "Invalid or missing authentication token"
s2:server-info | 119-131 662 | initialize is answered with serverInfo and tools.listChanged
s2:server-name | 119-131 | serverInfo.name is "Claude Code JetBrains Plugin" | the name of one editor; the sample exchange (706-723) has the plugin's own, and so has this profile (the profile jetbrains has that one)
s2:phase-initialization | 135-156 663 | initialize, its answer, notifications/initialized
s2:phase-discovery | 135-156 | tools/list, resources/list and prompts/list are answered
s2:empty-resources | 665 | resources/list is answered with an empty list
s2:empty-prompts | 666 | prompts/list is answered with an empty list
s2:empty-tools | 664 | an editor that can do nothing answers tools/list all the same
s2:empty-tools-none | 664 | such a list is empty | closing tabs and listing documents needs no ability of the editor, so that a few tools are left
s2:phase-operation | 135-156 | selection_changed goes to the agent, ide_connected comes from it
s2:selection-changed | 166-179 670 | selection_changed has selection, text and filePath
s2:selection-range | 183 188-198 | start and end are 0-based lines and characters
s2:selection-text-null | 184 | text is null when nothing is selected
s2:selection-path-null | 185 | filePath is null when no file is open
s2:selection-path-posix | 185 504 | filePath has forward slashes, /c/Users on Windows
s2:selection-tracked | 669 | each change of the selection is notified
s2:at-mentioned | 204-214 | at_mentioned has filePath, lineStart and lineEnd
s2:at-mentioned-path | 218 | filePath is always present, in POSIX form
s2:at-mentioned-start | 219 | lineStart is 0-based, null for a whole file
s2:at-mentioned-end | 220 | lineEnd is 0-based, null for a whole file
s2:diagnostics-changed | 226-235 | diagnostics_changed has the file's uri and its diagnostics, which may be none
s2:ide-connected | 243-252 671 | ide_connected of the agent is accepted
s2:ide-connected-pid | 256 | pid is the agent's process
s2:ide-connected-unsupported | 257 | isPluginVersionUnsupported is accepted and changes nothing
s2:tools-list | 267-286 | each tool has name, description and inputSchema
s2:diff-flow | 290-309 | the person accepts, rejects or closes; the last two are DIFF_REJECTED
s2:open-diff-arguments | 318-324 | openDiff has old_file_path, new_file_contents and tab_name
s2:open-diff-accepted | 327 | FILE_SAVED and the text as the person left it
s2:open-diff-rejected | 328 | DIFF_REJECTED
s2:open-file-arguments | 335-340 | openFile has filePath and makeFrontmost
s2:open-file-ok | 343 | OK when it was opened
s2:open-file-failed | 344 | "Project is closed or directory not found" when not
s2:open-files-arguments | 351-355 | open_files has file_paths
s2:open-files-answer | 358-362 | its answer is JSON: opened_files, those that could be opened
s2:close-tab-arguments | 369-373 | close_tab takes the name of a tab or diff, or a path
s2:close-tab-ok | 376 | OK when there was one
s2:close-tab-missing | 377 | "Tab not found" when not
s2:opened-paths | 386-389 | get_all_opened_file_paths: one absolute path a line
s2:reformat-arguments | 397-401 | reformat_file has file_path
s2:reformat-ok | 404 | OK when it was formatted
s2:reformat-missing | 405 | "File not found" when there is none
s2:get-diagnostics-arguments | 412-416 | getDiagnostics has a uri; without one, or with null, it means the current file
s2:get-diagnostics-answer | 419-433 | its answer is JSON: uri, and message, severity and range of each diagnostic
s2:severities | 435 | ERROR, WARNING, WEAK_WARNING, INFO
s2:lifecycle | 439-452 | starting, listening, connected, initialized, operating, back to listening, shut down
s2:lock-removed | 439-452 653 | the lock file is removed when the server ends
s2:ping | 458-464 | the server pings every five seconds
s2:ping-timeout | 466 | no answer in three seconds: the connection is dead and cleaned up
s2:method-not-found | 473-482 | -32601 "Method not found" for unknown methods
s2:tool-error | 487-496 | a tool's error is a text and isError true
s2:path-windows | 502 504 | C:\\Users\\foo\\project is /c/Users/foo/project, both ways
s2:path-posix | 505 | other paths stay as they are
s2:uri-unix | 510 | file:///path/to/file.ts
s2:uri-windows | 511 | file:///c:/Users/foo/file.ts
s2:lock-private | 546 652 | the lock file is private to its owner
s2:matrix | 553-555 | which editors there are in which versions | names and versions of other programs
s2:component-diagram | 561-610 | the parts of the JetBrains plugin | parts of another program; ours are in CONTRIBUTING.md
s2:classes | 616-620 | the classes of the JetBrains plugin | parts of another program
s2:message-flow | 624-643 | in: frame, route, request or notification, result, frame; out: editor event, notification, frame
s2:checklist-heads | 649 655 661 668 | heads of the check list | the items below them count
s2:text-frames | 659 | JSON-RPC messages come in text frames
s2:sample-initialize | 689-703 | initialize of claude-code 1.0.0 with 2024-11-05
s2:sample-initialize-answer | 706-723 | the same revision, the plugin's own name and version, tools.listChanged
s2:sample-selection | 726-739 | selection_changed with a range of six lines, text and path
s2:references | 743-745 | links to specifications | no statement about the protocol
`);
