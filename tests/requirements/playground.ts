import type { Statement } from "./statements.ts";
import { parseStatements } from "./statements.ts";

/**
 * What the web playground does, by the seven points of its plan, how it is built, and the input it withstands.
 * Each line is proven by the built page in Chromium, or by core where the page only shows.
 */
export const playground: readonly Statement[] = parseStatements(`
playground:1:handshake | 1, simulate | a newcomer sees a live handshake within a second
playground:1:first-30-seconds | 1, simulate | and is led through select, at-mention, diff and accept
playground:1:editor | 1, simulate | the editor is a real one: files, tabs, problems, typed text
playground:1:agent | 1, simulate | the agent disconnects and reconnects
playground:1:review | 1, simulate | the accepted text is the one on the screen, edited and in parts
playground:1:terminal | 1, simulate | a diff can be answered in the agent's terminal as well
playground:1:scenarios | 1, simulate | every story of the plan is there, as data
playground:1:fixtures | 1, simulate | each plays to its end, and its frames are those of its fixture
playground:1:transport | 1, simulate | step, play, pause, speed
playground:1:presenter | 1, simulate | presenter mode: large type, notes, a key a step
playground:1:comments | 1, simulate | comments beside the code: added, answered, resolved, deleted and put back, by mouse and keys
playground:1:comments-follow | 1, simulate | they follow typed text, and report when their code is deleted
playground:2:one-log | 2, see | every view is a function of one log and a cursor: the same frames give the same views
playground:2:rows | 2, see | rows of 24 px: time with milliseconds, sender in words, method in its case, duration, size
playground:2:pairing | 2, see | a request is linked with its answer
playground:2:causes | 2, see | links from an action to its frames and to their effects are drawn
playground:2:cause-keys | 2, see | and followed by keys
playground:2:list-keys | 2, see | the list is navigated by keys, with one tab stop
playground:2:sequence | 2, see | the sequence shows the same frames, and pending requests
playground:2:words | 2, see | a frame in words
playground:2:decoded | 2, see | JSON inside of text is decoded
playground:2:raw | 2, see | a frame as it was received, verbatim
playground:2:schema | 2, see | docs of every field
playground:2:links | 2, see | rules and fields lead to the section of their source
playground:2:links-in-page | 2, see | which opens beside the page on a click
playground:2:problems | 2, see | problems by layer, at their place
playground:2:problem-filter | 2, see | frames are found by the layer of their problems
playground:2:no-problem | 2, see | our own frames have none
playground:2:filter | 2, see | the filter selects frames, and names its errors
playground:2:filter-language | 2, see | dir, method, status and duration in one filter
playground:2:completion | 2, see | keys and values are completed
playground:2:completion-in-page | 2, see | as one types
playground:2:resend | 2, see | edit and resend
playground:2:copy | 2, see | copy as JSON, as a line of a trace
playground:2:copy-test | 2, see | and as a test
playground:3:side-by-side | 3, dialects | one act in every dialect, side by side, with what differs
playground:3:clients | 3, dialects | and with what each client does with it
playground:4:kinds | 4, break | latency, drop, duplicate, reorder, truncate, ids, malformed, oversize, silence, close codes
playground:4:offered | 4, break | all of them are on offer
playground:4:directions | 4, break | in either direction
playground:4:filter | 4, break | for the frames that a filter matches
playground:4:figures | 4, break | with numbers of the person's choice
playground:4:seeded | 4, break | the same seed causes the same faults
playground:4:clock | 4, break | on a virtual clock
playground:4:token | 4, break | the token changes
playground:4:shareable | 4, break | faults go into a link
playground:4:damaged-link | 4, break | and a damaged one is refused with a message
playground:5:jsonl | 5, keep | JSON Lines, saved and opened
playground:5:har | 5, keep | HAR with WebSocket messages, saved and opened
playground:5:time-travel | 5, keep | editor, tabs, pending calls and transcript change together
playground:5:branch | 5, keep | from any point
playground:5:link | 5, keep | a session in a link
playground:5:bounded | 5, keep | which unpacks to a bounded size
playground:5:redaction | 5, keep | tokens, home directory, names and texts are removed
playground:5:preview | 5, keep | and the replacements are shown before
playground:6:selection | 6, live | selections and mentions reach a real agent
playground:6:no-token | 6, live | the IDE's token never enters the page
playground:6:review | 6, live | a change is accepted as it was edited
playground:6:reload | 6, live | also after a reload
playground:6:first-answer | 6, live | the first answer wins, in the page, another page or the terminal
playground:6:save | 6, live | typed text is unsaved text, and can be saved
playground:6:record | 6, live | a recording is redacted, and the page opens it
playground:6:restart | 6, live | a bridge that is killed and restarted
playground:6:sleep | 6, live | a machine that sleeps
playground:6:stall | 6, live | a connection that falls silent
playground:6:ticket | 6, live | a ticket opens one page, once
playground:6:new-link | 6, live | a tab that is not admitted names the command for a new link
playground:6:upgrade | 6, live | exact Host, Origin, path and sub-protocol
playground:6:policy | 6, live | no cookies, a strict policy, nothing served beside the page
playground:6:doctor | 6, live | the doctor with the same steps as the command
playground:6:doctor-agents | 6, live | connections and disconnections are shown in it
playground:6:doctor-fault | 6, live | the first step that fails is explained, with its remedy
playground:6:doctor-keys | 6, live | it works by keyboard, and fits every width
playground:6:inspect | 6, live | idewire inspect shows every frame between a real agent and a real editor
playground:6:inspect-no-token | 6, live | and no token reaches the page
playground:6:inspect-reload | 6, live | also after a reload, and after the editor has ended
playground:6:inspect-as-agent | 6, live | or the page is an agent that calls tools
playground:6:inspect-keep | 6, live | an inspection can be saved, and opened
playground:6:inspect-checks | 6, live | and the inspected editor is checked from there
playground:6:trace-link | 6, live | a link of either carries the trace, redacted, and opens beside the live trace
playground:6:comments | 6, live | comments are kept in the folder, and change with it
playground:7:page | 7, check | a list of checks with rule, source, verdict and the frames that prove it
playground:7:page-fault | 7, check | a fault on the wire shows as a broken rule
playground:7:report | 7, check | the report in each format
playground:7:live | 7, check | of the folder's editor, with the verdicts of the command
playground:7:any-editor | 7, check | of any editor of this machine
playground:7:look | 7, check | in every width, without a fault that axe finds
playground:built:views-only | built | log, validation, faults and decoders live outside the page
playground:built:policy | built | a strict policy without inline and eval
playground:built:no-requests | built | no request to another origin
playground:built:no-fonts | built | no web fonts
playground:built:vite | built | vite as the server for development, and only that
playground:built:palette | built | every action in a palette
playground:built:keys | built | keyboard first
playground:built:splitters | built | panes are resized by keys
playground:built:focus | built | the focus is never lost
playground:built:axe | built | names for screen readers: axe finds nothing in light, dark, narrow and on a phone
playground:built:reduced-motion | built | reduced motion
playground:built:forced-colours | built | forced colours
playground:built:themes | built | light and dark
playground:built:phone | built | 390 px
playground:built:single-file | built | one file that opens from a disk
playground:built:lighthouse | built | Lighthouse gives high scores on a desktop and a phone
playground:built:offline | built | a service worker for offline
playground:bad:damaged | bad input | damaged traces
playground:bad:links | bad input | damaged links and bombs
playground:bad:unknown-tour | bad input | a tour that does not exist
playground:bad:deep | bad input | deep JSON
playground:bad:markup | bad input | markup, bidi characters and prototype keys in texts
playground:bad:names | bad input | and in names
playground:bad:other-protocol | bad input | a server that speaks another protocol
playground:bad:flood | bad input | a server that floods
playground:bad:ticket-twice | bad input | a ticket used twice
playground:bad:other-origin | bad input | or from another origin
playground:bad:changed-on-disk | bad input | files changed on disk during editing
playground:bad:binary | bad input | binary files
playground:bad:fifty-megabytes | bad input | files of 50 MB
`);
