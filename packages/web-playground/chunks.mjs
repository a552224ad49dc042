// Which modules share a file: those that are needed together. One file for each would be larger in
// all, since each is compressed by itself and repeats the names that it shares with the others. A
// warning about a circular chunk means that a module is missing here.

const chunks = [
  ["grammars", /\/@codemirror\/legacy-modes\//],
  // The editor; reviews are loaded with the first diff.
  [
    "code-editor",
    /\/src\/editor\/(?!editor-pane|file-tabs)|\/@codemirror\/(?!merge)|\/@lezer\/|\/packages\/codemirror\/src\/(index|breaks|draft|line|hidden-characters)/,
  ],
  ["code-editor", /\/(style-mod|w3c-keyname|crelt|@marijn)\//],
  // A frame in words, and its problems.
  ["frame-view", /\/src\/frame\/(?!frame-pane)|\/faults\/held\.|\/ui\/(source-links|fact)\./],
  [
    "frame-view",
    /\/trace\/(catalogue|problems|explain)\/|\/src\/(state\/(find-problems|moments|raw-of)|ui\/copy)\./,
  ],
  // What is loaded as soon as the page is idle: tours, faults, filters.
  [
    "when-idle",
    /\/src\/page\/(when-idle|run-when-idle|focus-guard|endings|scrubber|theme|drop-target|single-keys|pane-tabs|panes|keys)\.|\/src\/state\/(branch|filter-language|filter-frames|regex-search|skipped-lines)\.|\/wire\/(filter-box|legend|live-rows|saved-filters)\.|\/agent\/(agent-prompt|sample-changes)\.|\/(cut-event|shell-quote)\.|virtual:tours/,
  ],
  ["when-idle", /\/(hidden-character|hidden-names|review-keys)\./],
  // All of valibot but what the arguments of the first view's tools need.
  [
    "when-idle",
    /valibot:src\/(?!storages|utils\/_(addIssue|stringify|standardSchema)\/|schemas\/(object|nullable|boolean|string|exactOptional)\/|methods\/(pipe|safeParse|getFallback|getDefault)\/|actions\/description\/)/,
  ],
  ["when-idle", /\/src\/tours\/(tours|playback|tour-bar)\.|\/ui\/movable-splitter\./],
  [
    "when-idle",
    /\/trace\/(faults|filter)\/|\/devtools\/src\/(like|describe-issue|page-comment-tags|members-of)\.|\/simulation\/simulated-context\.|\/format\/trace-fact\.|\/model-schemas\.|\/devtools\/src\/scenario\/(?!from-trace|file\/limits|editor\/(scripted-answers|workspace-files))/,
  ],
  // The page of a folder and that of an inspection.
  [
    "live",
    /\/src\/(live\/|inspect\/|state\/server-link)|\/page-protocol\/|\/discovery-file\.|\/(web-socket-transport|check-port|copy-editor|record-transport|claude-lock-file)\.|\/ui\/shell-command\./,
  ],
  // Dialogs, and what they save and open.
  [
    "dialogs",
    /\/src\/(share|faults)\/(?!held\.)|\/simulation\/breakpoint\.|\/page\/(commands|command-palette|screen-controls|keys-dialog|open-dialog|dialogs|open-address)\./,
  ],
  [
    "dialogs",
    /\/ui\/(dialog|choice-list|checkbox)\.|\/(tours\/presenter-notes|wire\/filters-dialog|state\/own-trace)\.|\/trace\/(format\/(har|trace-file|trace-reader)\.|redaction\/describe-redactions\.)/,
  ],
  // Checks and scenarios redact what they make of a trace; what is shared is redacted in a worker.
  ["redaction", /\/trace\/redaction\/|\/core\/src\/secrets\/|\/text\/base64\./],
  ["dialogs", /virtual:redaction-worker/],
  // What is made of a whole trace.
  [
    "analysis",
    /\/web-playground\/src\/(compare|latency|replay|scenario)\/|\/scenario\/(from-trace|file\/limits)|\/page\/analysis\.|\/trace\/(comparison|latency|replay)\/|\/recorded-paths\./,
  ],
  // Comments beside the code; of the simulated workspace with all that finds and keeps them.
  [
    "comment-store",
    /\/paired-comments\/src\/|\/comments\/(simulated-comments|page-reader)\.|virtual:comment-parser/,
  ],
  ["comment-store", /\/node_modules\/(re2js|picomatch)\/|commonjsHelpers/],
  ["comments", /\/src\/comments\/(?!load-comments)/],
  ["checks", /\/src\/(checks|json-schema)\/|\/@cfworker\/|\/junit\./],
];

/** The chunk of a module; undefined puts it with its importers. */
export function chunkOf(id) {
  return chunks.find(([, modules]) => modules.test(id.replaceAll("\\", "/")))?.[0];
}
