import { object, oneOf, type Shape } from "./shape.ts";

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

const claudeSelection: EventFacts = {
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

const claudeMention: EventFacts = {
  method: "at_mentioned",
  from: "editor",
  when: "The person sends a file, or lines of it, to the agent.",
  understoodBy: "Claude Code and opencode insert it into the prompt.",
  sources: ["cli:notifications:mention-text", "cli:notifications:mention-lines", "s1:at-mentioned"],
  schema: object({ filePath: path, lineStart: line, lineEnd: line }, ["lineStart", "lineEnd"]),
};

const ideConnected: EventFacts = {
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

const diagnosticsChanged: EventFacts = {
  method: "diagnostics_changed",
  from: "editor",
  when: "The diagnostics of a file have changed; none are an empty list.",
  understoodBy: "No published agent uses it; clients written for the seeds do.",
  sources: ["s1:diagnostics-changed", "cli:notifications:no-effect"],
  schema: fileDiagnostics,
};

const logEvent: EventFacts = {
  method: "log_event",
  from: "editor",
  when: "`sendLogEvent` is called; never unasked.",
  understoodBy: "Claude Code passes it on as telemetry.",
  sources: ["s1:log-event", "cli:notifications:log-event"],
  schema: object({ eventName: { type: "string" }, eventData: { type: "object" } }),
};

/** The notifications of the claude-code dialect and its profiles. */
export const ideEvents: readonly EventFacts[] = [
  claudeSelection,
  claudeMention,
  ideConnected,
  diagnosticsChanged,
  logEvent,
];
