import { object, oneOf, orNull, type Shape } from "./shape.ts";

/** A notification of a dialect. */
export interface EventFacts {
  readonly method: string;
  readonly from: "editor" | "agent";
  readonly when: string;
  /** Which agents or editors act on it. */
  readonly understoodBy: string;
  /** Ids of the requirement manifest. */
  readonly sources: readonly string[];
  /** The shape of its `params`. */
  readonly schema: Shape;
}

const path: Shape = { type: "string", description: "Absolute path" };
const line: Shape = { type: "integer", minimum: 0, description: "0-based" };
const position = object({ line, character: { ...line, description: "0-based, in UTF-16 units" } });
/** A range as every dialect writes it. */
export const range: Shape = object({ start: position, end: position });

const selectedRange = object({ text: { type: "string" }, selection: range });

export const claudeSelection: EventFacts = {
  method: "selection_changed",
  from: "editor",
  when: "The selection, or the active file, has changed; and 300 ms after the handshake of each connection. Positions are 0-based.",
  understoodBy: "Claude Code uses it for the next prompt only; opencode until the next selection.",
  sources: [
    "cli:notifications:line-plus-one",
    "cli:notifications:clear",
    "cli:notifications:resend-each-connection",
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
};

export const claudeMention: EventFacts = {
  method: "at_mentioned",
  from: "editor",
  when: "The person sends a file, or lines of it, to the agent.",
  understoodBy: "Claude Code and opencode insert it into the prompt.",
  sources: ["cli:notifications:mention-text", "cli:notifications:mention-lines", "s1:at-mentioned"],
  schema: object({ filePath: path, lineStart: line, lineEnd: line }, ["lineStart", "lineEnd"]),
};

export const ideConnected: EventFacts = {
  method: "ide_connected",
  from: "agent",
  when: "Right after `notifications/initialized`.",
  understoodBy:
    "The editor: it learns the agent's process, and stays connected to a stopped one (Ctrl-Z).",
  sources: [
    "cli:handshake:ide-connected-pid",
    "s2:ide-connected-pid",
    "s2:ide-connected-unsupported",
  ],
  schema: object({ pid: { type: "integer" }, isPluginVersionUnsupported: { type: "boolean" } }, [
    "isPluginVersionUnsupported",
  ]),
};

const file: Shape = { type: "string", description: "file:// URI" };
/** One diagnostic, in `diagnostics_changed` and in the answer of `getDiagnostics`. */
const claudeDiagnostic: Shape = object(
  {
    message: { type: "string" },
    severity: oneOf("Error", "Warning", "Info", "Hint"),
    range,
    source: { type: "string" },
    code: { type: ["string", "number"] },
  },
  ["source", "code"],
);
/** The problems of one file. */
export const fileDiagnostics: Shape = object({
  uri: file,
  diagnostics: { type: "array", items: claudeDiagnostic },
});

export const diagnosticsChanged: EventFacts = {
  method: "diagnostics_changed",
  from: "editor",
  when: "The diagnostics of a file have changed; none are an empty list.",
  understoodBy: "No published agent uses it; clients written for the seeds do.",
  sources: ["s1:diagnostics-changed", "cli:notifications:no-effect"],
  schema: fileDiagnostics,
};

export const logEvent: EventFacts = {
  method: "log_event",
  from: "editor",
  when: "`sendLogEvent` is called; never unasked.",
  understoodBy: "Claude Code passes it on as telemetry.",
  sources: ["s1:log-event", "cli:notifications:log-event"],
  schema: object({ eventName: { type: "string" }, eventData: { type: "object" } }),
};

export const claudeCodeSpecSelection: EventFacts = {
  ...claudeSelection,
  understoodBy: "Clients written after seed 002; Claude Code reads it unless it has a null.",
  sources: ["s2:selection-changed", "s2:selection-text-null", "s2:selection-path-null"],
  schema: object({
    selection: range,
    text: orNull({ type: "string" }),
    filePath: orNull({ ...path, description: "With forward slashes, /c/Users/… on Windows" }),
  }),
};

export const claudeCodeSpecMention: EventFacts = {
  ...claudeMention,
  understoodBy: "Clients written after seed 002; opencode drops a mention whose lines are null.",
  sources: ["s2:at-mentioned", "s2:at-mentioned-start", "s2:at-mentioned-end"],
  schema: object({ filePath: path, lineStart: orNull(line), lineEnd: orNull(line) }),
};

export const claudeCodeSpecDiagnostics: EventFacts = {
  ...diagnosticsChanged,
  sources: ["s2:diagnostics-changed"],
  schema: object({
    uri: file,
    diagnostics: {
      type: "array",
      items: object({
        message: { type: "string" },
        severity: oneOf("ERROR", "WARNING", "INFO", "WEAK_WARNING"),
        range,
      }),
    },
  }),
};

export const jetBrainsConnected: EventFacts = {
  method: "notifications/ide_connected",
  from: "editor",
  when: "Once, before everything else that the editor sends.",
  understoodBy: "Clients of seed 000.",
  sources: ["s0:ide-connected"],
  schema: object({ project_path: path }),
};

export const jetBrainsSelection: EventFacts = {
  method: "notifications/selection_changed",
  from: "editor",
  when: "The selection has changed, and 300 ms after the handshake.",
  understoodBy: "Clients of seed 000. Claude Code ignores it, because of its prefix.",
  sources: ["s0:selection-changed", "s0:notification"],
  schema: object({ file_path: orNull(path), range: orNull(range) }),
};

export const jetBrainsMention: EventFacts = {
  ...claudeMention,
  understoodBy: "Clients of seed 002; seed 000 has none.",
  sources: ["s2:at-mentioned"],
};

/** The notifications of the claude-code dialect and its profiles. */
export const ideEvents: readonly EventFacts[] = [
  claudeSelection,
  claudeMention,
  ideConnected,
  diagnosticsChanged,
  logEvent,
];
