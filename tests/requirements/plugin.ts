import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What the Obsidian plugin does, by the nine points of its plan, and the input it withstands. Each line is
 * proven by the built plugin in the app of `tests/obsidian-host`.
 */
export const plugin: readonly Statement[] = parseStatements(`
plugin:1:starts-light | 1, connection | it delays the start of the app by less than 20 ms
plugin:1:lock | 1, connection | one private lock file with the vault's real path
plugin:1:handshake | 1, connection | an agent in the vault or below it connects without a fault
plugin:1:no-setup | 1, connection | the default case needs no setup
plugin:1:several-vaults | 1, connection | several vaults at once, each with its own agents
plugin:1:same-vault | 1, connection | a second window of a vault has the agents of the first, and takes over when that closes
plugin:1:others-untouched | 1, connection | lock files of other editors are left alone
plugin:1:quit | 1, connection | closing the window removes the lock file at once
plugin:1:crash | 1, connection | the files left by a crash are removed at the next start
plugin:1:agent-crash | 1, connection | an agent that disappears leaves nothing pending
plugin:1:unload | 1, connection | a plugin that is disabled leaves nothing in the app
plugin:1:admission | 1, connection | clients without the token, web pages and other host names are refused
plugin:1:linked | 1, connection | the lock file of a vault behind a link has both of its names
plugin:1:doctor | 1, connection | the doctor lists the published lock file and the connected agents
plugin:1:copy | 1, connection | the command that starts an agent can be copied
plugin:1:terminal | 1, connection | a terminal opens in the vault, and runs the agent
plugin:1:mend | 1, connection | a fault is shown with its remedy
plugin:2:action | 2, selection | one message for each action, from mouse and keyboard, in all modes of the editor and in windows
plugin:2:swift | 2, selection | less than 100 ms from action to frame
plugin:2:reading | 2, selection | reading mode gives the true range of the source
plugin:2:mark | 2, selection | it survives the click elsewhere, marked, and ends with its note
plugin:2:cursor | 2, selection | moves of the cursor alone are throttled; other file views send their path
plugin:2:canvas | 2, selection | text selected in a card of a canvas is sent with its file
plugin:2:pdf | 2, selection | text selected in a PDF is sent with its page
plugin:2:web | 2, selection | text selected in a web page of the app's own viewer is sent
plugin:2:elsewhere-excluded | 2, selection | exclusions and share levels apply there as well
plugin:3:editor | 3, send to agent | editor menu and commands: selection, section, block
plugin:3:files | 3, send to agent | menus of files, folders, several files and links, and drag; any names
plugin:3:places | 3, send to agent | from the menus of folders, tabs and links
plugin:3:refused | 3, send to agent | the reason why something was not sent is shown
plugin:3:choose | 3, send to agent | with several agents connected, the person chooses one
plugin:4:decisions | 4, review | accept, reject, edit, hunk by hunk; the outcome is the text that was shown
plugin:4:side-by-side | 4, review | side by side as unified; the layout is remembered
plugin:4:keyboard | 4, review | every action has a key
plugin:4:queue | 4, review | several files wait in a queue
plugin:4:line-endings | 4, review | line endings and the final newline are kept
plugin:4:new-and-deleted | 4, review | new files and deletions are clear
plugin:4:ends | 4, review | it ends when its tab closes, in the terminal, with its agent
plugin:4:changed-meanwhile | 4, review | a note that changed meanwhile is not overwritten
plugin:4:restart | 4, review | after a restart an open review has expired, and lost nothing
plugin:4:words | 4, review | word by word in prose
plugin:4:themes | 4, review | light and dark can be read
plugin:4:contrast | 4, review | so can high contrast and forced colours
plugin:4:crash | 4, review | the person's edits of a proposal survive a crash
plugin:4:popout | 4, review | a review works the same in a window of its own
plugin:4:renamed | 4, review | a note that is renamed keeps its review, and is not written twice
plugin:4:undo | 4, review | a decision can be undone while the review is open
plugin:4:waiting | 4, review | the status bar counts pending reviews and leads to the next
plugin:4:unreviewed | 4, review | edits without a review are listed, and undone in one step
plugin:4:line-comments | 4, review | comments on lines reach the agent, with its rejection
plugin:4:preview | 4, review | the proposal can be seen rendered, and loads nothing before it is accepted
plugin:4:disabled | 4, review | a plugin that is disabled hands its reviews back to the terminal
plugin:5:after-edit | 5, diagnostics | an agent receives the problems that its edit caused
plugin:5:new-note | 5, diagnostics | and no problem for a link to a note that it has just created
plugin:5:one-note | 5, diagnostics | every finding at its place
plugin:5:unsaved | 5, diagnostics | unsaved text is checked
plugin:5:linters | 5, diagnostics | findings of other plugins' linters are included
plugin:5:only-changes | 5, diagnostics | pushed when something has changed, and only then
plugin:5:excluded | 5, diagnostics | nothing about excluded notes
plugin:5:kinds | 5, diagnostics | each kind of mistake
plugin:5:cap | 5, diagnostics | a report has a cap, and says so
plugin:5:report | 5, diagnostics | a report of the whole vault on demand
plugin:5:progress | 5, diagnostics | with progress and a way to stop, without blocking the app
plugin:6:open-file | 6, other tools | openFile: text search, line, preview, focus
plugin:6:open-editors | 6, other tools | open documents, deferred tabs too; dirty, save, close
plugin:6:folders | 6, other tools | getWorkspaceFolders
plugin:6:close-tab | 6, other tools | close_tab: notes by name or path, saved before; reviews by name or path
plugin:6:reformat | 6, other tools | reformat_file is declined: Obsidian has no formatter
plugin:7:excluded | 7, privacy | excluded by folder, tag, property, or Obsidian's own list
plugin:7:excluded-late | 7, privacy | a note that is excluded while it is open is withdrawn
plugin:7:excluded-alias | 7, privacy | so is a note reached by a link inside the vault
plugin:7:existence | 7, privacy | no answer reveals that an excluded note exists
plugin:7:level-off | 7, privacy | the level off: nothing, and reviews work
plugin:7:level-path | 7, privacy | the level path: the name of the open note, and no more
plugin:7:level-selection | 7, privacy | the level selection: the selected text and requests about it, and no more
plugin:7:level-all | 7, privacy | the level all: open notes and unsaved text too
plugin:7:stays-here | 7, privacy | nothing leaves the machine
plugin:7:status-bar | 7, privacy | the status bar shows and switches sharing
plugin:7:last-shared | 7, privacy | the last shared content can be read
plugin:7:last-answers | 7, privacy | and so can the answers of tools
plugin:7:history | 7, privacy | the proposal of a review can be restored
plugin:8:first-steps | 8, settings | the first steps are shown once
plugin:8:settings | 8, settings | every option is explained, and saved as it changes
plugin:8:search | 8, settings | settings can be searched for
plugin:8:texts | 8, settings | all texts are in one place, ready for translation
plugin:8:copies | built | manifest copies at the root are equal
plugin:8:pictures | built | the README's pictures are made by tests, status bar and last shared among them
plugin:8:install | built | the README's command installs it into a vault
plugin:8:reachable | 8, settings | nothing covers a control, at any width and in both themes
plugin:8:hotkeys | 8, settings | no command has a hotkey, and each can have one
plugin:9:cli | 9, beyond | the app's own command line: status, send, diff, check
plugin:9:links | 9, beyond | obsidian:// opens a note at a line
plugin:9:tools | 9, beyond | link-safe rename, properties and search as ordinary MCP tools
plugin:9:tools-private | 9, beyond | the tools treat excluded notes as missing
plugin:9:tools-change | 9, beyond | they change notes only where the person allows it
plugin:9:tools-offer | 9, beyond | they are offered only while the person has enabled them
plugin:9:tools-unsaved | 9, beyond | they save unsaved text before they change a note
plugin:9:tools-two-windows | 9, beyond | two windows on one vault offer them once
plugin:9:comments | 9, beyond | a pane of comments on notes: add, edit, answer, resolve, delete and undo, search, by keys
plugin:9:comments-place | 9, beyond | a comment follows its text; when that is gone, the person chooses where it goes
plugin:9:comments-file | 9, beyond | changes by others are shown, and a damaged file of comments is never written
plugin:9:comments-follow | 9, beyond | a note's comments go with it, renamed or deleted
plugin:9:comments-told | 9, beyond | agents are sent comments when the person wants it, and never those of excluded notes
plugin:9:hostile | 9, beyond | their port refuses requests of other clients at once, and leaves nothing
plugin:9:stdio | 9, beyond | they are served on stdin and stdout too
plugin:peers:segments | peers, vault-code | a request that comes in several TCP segments is answered
plugin:peers:large | peers, vault-code | so is one of 200 kB
plugin:peers:continued | peers, vault-code | so is one in continuation frames
plugin:peers:head | peers, vault-code | so is one that comes with the upgrade
plugin:peers:own-answers | peers, vault-code | an answer goes to its requester alone
plugin:peers:same-text | peers, vault-code | a text that occurs twice is identified by its position
plugin:peers:listens-first | peers, vault-code | the lock file comes after the port
plugin:peers:one-state | peers, claude-ide | one notification after the handshake
plugin:peers:silent | peers, claude-code-ide | nothing is logged
plugin:peers:cap | peers, claude-code-ide-pro | a frame has a limit
plugin:peers:version | peers, vault-code | the version that it reports is its own
plugin:peers:loopback | peers, claude-code-mcp | it listens on loopback only
plugin:peers:no-code | peers, claude-code-mcp | no tool runs code
plugin:peers:config-dir | peers, claude-code-mcp | the lock file is where the CLI looks, CLAUDE_CONFIG_DIR honoured
plugin:peers:quiet | peers, claude-code-mcp | no notice at each start, no default hotkey
plugin:peers:blocks | peers, claude-code-ide | openDiff waits for the person
plugin:peers:no-deletion | peers, claude-code-ide | an empty proposal deletes nothing
plugin:peers:no-creation | peers, claude-code-ide | a proposal for a new file creates nothing
plugin:peers:schemas | peers, claude-ide | every tool has an inputSchema
plugin:peers:templates | peers, claude-ide | resources/templates/list is refused as unknown or empty
plugin:bad:read-only-disk | bad input | a vault on a read-only disk
plugin:bad:paths | bad input | paths outside the vault, folders, binary files, links that lead out
plugin:bad:binary | bad input | binary files
plugin:bad:names | bad input | names with every odd character
plugin:bad:arguments | bad input | malformed arguments of tools
plugin:bad:agent-gone | bad input | an agent that disappears during a review
plugin:bad:ten-megabytes | bad input | a note of 10 MB
plugin:bad:five-megabytes | bad input | a diff of 5 MB
plugin:bad:fifty-diffs | bad input | 50 diffs at once
plugin:bad:lock-directory | bad input | a lock directory that cannot be written
`);
