import { sendLogEvent } from "@idewire/core";
import type { CapturedScene } from "./capture.ts";
import { mentionFile, mentionLines, selectTwice, selectWords, warn } from "./scene.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the pages say of one notification of a dialect. */
export interface EventFacts {
  readonly method: string;
  readonly from: "editor" | "agent";
  readonly when: string;
  /** Who does something with it. */
  readonly understoodBy: string;
  readonly sources: readonly string[];
  /** Of its `params`. */
  readonly schema: JsonSchema;
  readonly examples: readonly EventExample[];
}

export interface EventExample {
  readonly title: string;
  /** Makes it happen; left out when it comes by itself. */
  readonly act?: (scene: CapturedScene) => void;
  /** As whom the agent has introduced itself; `claude-code` when left out. */
  readonly agent?: "opencode";
}

const path = { type: "string", description: "Absolute path" };
const line = { type: "integer", minimum: 0, description: "0-based" };
const position = object({ line, character: { ...line, description: "0-based, in UTF-16 units" } });
const range = object({ start: position, end: position });
const severity = (...names: readonly string[]) => ({ enum: names });
const orNull = (schema: JsonSchema) => ({ anyOf: [schema, { type: "null" }] });

function object(properties: Record<string, JsonSchema>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: "object", properties, required, additionalProperties: false };
}

const selectedRange = object({ text: { type: "string" }, selection: range });

const claudeSelection: EventFacts = {
  method: "selection_changed",
  from: "editor",
  when: "The selection, or the active file, has changed; and 300 ms after the handshake of each connection. Positions are 0-based.",
  understoodBy: "Claude Code uses it up with the next prompt. opencode shows it until the next.",
  sources: [
    "cli:6:line-plus-one",
    "cli:6:clear",
    "cli:1:resend-each-connection",
    "s1:selection-changed",
  ],
  schema: {
    anyOf: [
      object({ selection: range, text: { type: "string" }, filePath: path }, ["filePath"]),
      {
        ...object({ filePath: path, ranges: { type: "array", items: selectedRange, minItems: 2 } }),
        description: "Several ranges: to opencode alone",
      },
    ],
  },
  examples: [
    { title: "Words are selected", act: ({ host }) => selectWords(host) },
    { title: "No file is open: what clears", act: ({ host }) => host.setSelection(undefined) },
    { title: "Two ranges, to opencode", act: ({ host }) => selectTwice(host), agent: "opencode" },
    {
      title: "No file is open, to opencode",
      act: ({ host }) => host.setSelection(undefined),
      agent: "opencode",
    },
  ],
};

const claudeMention: EventFacts = {
  method: "at_mentioned",
  from: "editor",
  when: "The person sends a file, or lines of it, to the agent.",
  understoodBy: "Claude Code and opencode type it into the prompt.",
  sources: ["cli:6:mention-text", "cli:6:mention-lines", "s1:at-mentioned"],
  schema: object({ filePath: path, lineStart: line, lineEnd: line }, ["lineStart", "lineEnd"]),
  examples: [
    { title: "Lines", act: ({ host }) => mentionLines(host) },
    { title: "A whole file", act: ({ host }) => mentionFile(host) },
  ],
};

const ideConnected: EventFacts = {
  method: "ide_connected",
  from: "agent",
  when: "Right after `notifications/initialized`.",
  understoodBy:
    "The editor: it learns the agent's process, and keeps a stopped one (Ctrl-Z) connected.",
  sources: ["cli:4:ide-connected-pid", "s2:ide-connected-pid", "s2:ide-connected-unsupported"],
  schema: object({ pid: { type: "integer" }, isPluginVersionUnsupported: { type: "boolean" } }, [
    "isPluginVersionUnsupported",
  ]),
  examples: [
    {
      title: "As Claude Code says it",
      act: (scene) => scene.notify("ide_connected", { pid: 4242 }),
    },
  ],
};

const file = { type: "string", description: "file:// URI" };
const claudeDiagnostic = object(
  {
    message: { type: "string" },
    severity: severity("Error", "Warning", "Info", "Hint"),
    range,
    source: { type: "string" },
    code: { type: ["string", "number"] },
  },
  ["source", "code"],
);
const jetBrainsSeverities = severity("ERROR", "WARNING", "INFO", "WEAK_WARNING");

const diagnosticsChanged: EventFacts = {
  method: "diagnostics_changed",
  from: "editor",
  when: "The diagnostics of a file have changed; none are an empty list.",
  understoodBy:
    "No published command line does anything with it; clients written after the seeds do.",
  sources: ["s1:diagnostics-changed", "cli:6:no-effect"],
  schema: object({ uri: file, diagnostics: { type: "array", items: claudeDiagnostic } }),
  examples: [{ title: "A warning", act: ({ host }) => warn(host) }],
};

export const claudeEvents: readonly EventFacts[] = [claudeSelection, claudeMention, ideConnected];

export const neovimEvents: readonly EventFacts[] = [
  ...claudeEvents,
  diagnosticsChanged,
  {
    method: "log_event",
    from: "editor",
    when: "`sendLogEvent` is called; never unasked.",
    understoodBy: "Claude Code passes it on as telemetry.",
    sources: ["s1:log-event", "cli:6:log-event"],
    schema: object({ eventName: { type: "string" }, eventData: { type: "object" } }),
    examples: [
      {
        title: "A command was run",
        act: ({ session }) => {
          sendLogEvent(session, { eventName: "command", eventData: { name: "ClaudeSend" } });
        },
      },
    ],
  },
];

export const seed002Events: readonly EventFacts[] = [
  {
    ...claudeSelection,
    understoodBy:
      "Clients written after seed 002; the published command line reads it unless it has a null.",
    sources: ["s2:selection-changed", "s2:selection-text-null", "s2:selection-path-null"],
    schema: object({
      selection: range,
      text: orNull({ type: "string" }),
      filePath: orNull({ ...path, description: "With forward slashes, /c/Users/… on Windows" }),
    }),
    examples: claudeSelection.examples.filter(({ agent }) => agent === undefined),
  },
  {
    ...claudeMention,
    understoodBy: "Clients written after seed 002; opencode drops a mention whose lines are null.",
    sources: ["s2:at-mentioned", "s2:at-mentioned-start", "s2:at-mentioned-end"],
    schema: object({ filePath: path, lineStart: orNull(line), lineEnd: orNull(line) }),
  },
  {
    ...diagnosticsChanged,
    sources: ["s2:diagnostics-changed"],
    schema: object({
      uri: file,
      diagnostics: {
        type: "array",
        items: object({ message: { type: "string" }, severity: jetBrainsSeverities, range }),
      },
    }),
  },
  ideConnected,
];

export const jetBrainsEvents: readonly EventFacts[] = [
  {
    method: "notifications/ide_connected",
    from: "editor",
    when: "Once, before everything else that the editor tells.",
    understoodBy: "Clients of seed 000.",
    sources: ["s0:ide-connected"],
    schema: object({ project_path: path }),
    examples: [{ title: "After the handshake" }],
  },
  {
    method: "notifications/selection_changed",
    from: "editor",
    when: "The selection has changed, and 300 ms after the handshake.",
    understoodBy:
      "Clients of seed 000. The published command line ignores it, because of its prefix.",
    sources: ["s0:selection-changed", "s0:notification"],
    schema: object({ file_path: orNull(path), range: orNull(range) }),
    examples: [
      { title: "Words are selected", act: ({ host }) => selectWords(host) },
      { title: "No file is open", act: ({ host }) => host.setSelection(undefined) },
    ],
  },
  {
    ...claudeMention,
    understoodBy: "Clients of seed 002; seed 000 has none.",
    sources: ["s2:at-mentioned"],
  },
];
