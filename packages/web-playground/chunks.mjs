// Which modules come in one file: those that are wanted together. A file for each would be more in
// all, since each is compressed by itself and names again what it shares with the others. A
// build that names a circular chunk wants the module of that chunk to be named here.

const chunks = [
  ["grammars", /\/@codemirror\/legacy-modes\//],
  // The editor; what shows a diff comes with the first one.
  [
    "code-editor",
    /\/src\/editor\/(?!editor-pane|file-tabs)|\/@codemirror\/(?!merge)|\/@lezer\/|\/packages\/codemirror\/src\/(index|breaks|draft|line|hidden-characters)/,
  ],
  ["code-editor", /\/(style-mod|w3c-keyname|crelt|@marijn)\//],
  // A frame in words, and what is wrong with it.
  ["frame-view", /\/src\/frame\/(?!frame-pane)|\/ui\/(source-links|fact)\./],
  [
    "frame-view",
    /\/trace\/(catalogue|problems|explain)\/|\/src\/(state\/find-problems|ui\/copy)\./,
  ],
  // What is loaded as soon as the page is idle: tours, faults, filters.
  [
    "when-idle",
    /\/src\/page\/(when-idle|run-when-idle|focus-guard|endings)\.|\/src\/state\/(branch|filter-language)\.|virtual:tours/,
  ],
  ["when-idle", /\/src\/tours\/(tours|playback|tour-bar)\./],
  ["when-idle", /\/trace\/(faults|filter)\/|\/devtools\/src\/like\.|\/simulation\/(tour|take-step)\./],
  // The page of a folder, and what it has in common with that of an inspection.
  [
    "live",
    /\/src\/live\/|\/(web-socket-transport|check-port|record-transport|claude-lock-file)\.|\/ui\/shell-command\./,
  ],
  // What opens over the page, and what it saves and opens.
  ["dialogs", /\/src\/(share|faults)\/|\/page\/(commands|command-palette|dialogs|open-address)\./],
  [
    "dialogs",
    /\/ui\/(dialog|choice-list|checkbox)\.|\/tours\/presenter-notes\.|\/trace\/(format\/(har|trace-fact|trace-file|trace-reader)|redaction\/redact)\./,
  ],
  ["checks", /\/src\/(checks|json-schema)\/|\/frame-messages\.|\/@cfworker\/|\/junit\./],
];

/** The piece that a module belongs to; undefined leaves it to who imports it. */
export function pieceOf(id) {
  return chunks.find(([, modules]) => modules.test(id.replaceAll("\\", "/")))?.[0];
}
