import { exactly, type Range, type ToolInput, valibotInput } from "@idewire/core";
import * as v from "valibot";

/** How a script answers proposals. */
export type DiffAnswer = "accept" | "accept-edited" | "reject" | "close" | "wait";

/** How severe, as editors and agents spell it. */
export type ScriptSeverity = (typeof severities)[number];

/** One thing that is wrong, as agents get it. */
export interface ScriptDiagnostic {
  readonly message: string;
  readonly severity: ScriptSeverity;
  /** 0-based, UTF-16 units. */
  readonly range: Range;
  readonly source?: string;
  readonly code?: string | number;
}

/** All that is wrong with one file. */
export interface ScriptFileDiagnostics {
  /** `file://` and the native path, not encoded; a mere path is taken as well. */
  readonly uri: string;
  readonly diagnostics: readonly ScriptDiagnostic[];
}

/** What a script may say, by verb. Paths are native: absolute, or relative to the folder. */
export interface ScriptCommands {
  /** Opens a document. */
  open: { readonly do: "open"; readonly filePath: string };
  /** Selects a range; the text is the file's when left out. */
  select: {
    readonly do: "select";
    readonly filePath: string;
    readonly text?: string;
    readonly selection: Range;
  };
  /** Selects nothing. */
  clear: { readonly do: "clear" };
  /** Sends a file, or its lines `lineStart` to `lineEnd` (both included), to the agents. */
  mention: {
    readonly do: "mention";
    readonly filePath: string;
    readonly lineStart?: number;
    readonly lineEnd?: number;
  };
  /** All the diagnostics that there are now, beside those that the host finds itself. */
  diagnostics: { readonly do: "diagnostics"; readonly items: readonly ScriptFileDiagnostics[] };
  /** Answers the proposals that wait, and those to come. */
  diff: {
    readonly do: "diff";
    readonly answer: DiffAnswer;
    /** For `accept-edited`: the whole text. */
    readonly text?: string;
    /** For `accept-edited` without `text`: added to the proposal. */
    readonly suffix?: string;
  };
  /** Cuts all connections. */
  drop: { readonly do: "drop" };
  /** Ends the command in order. */
  stop: { readonly do: "stop" };
}

export type ScriptVerb = keyof ScriptCommands;
export type ScriptCommand = ScriptCommands[ScriptVerb];

const severities = [
  "error",
  "warning",
  "information",
  "info",
  "hint",
  "Error",
  "Warning",
  "Information",
  "Info",
  "Hint",
] as const;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const position = v.object({ line: count, character: count });
const range = v.object({ start: position, end: position });
const diagnostic = v.object({
  message: v.string(),
  severity: v.picklist(severities),
  range,
  source: v.exactOptional(v.string()),
  code: v.exactOptional(v.union([v.string(), v.number()])),
});
const file = v.object({
  uri: v.pipe(
    v.string(),
    v.description("file:// and the native path, not percent-encoded; or a mere path"),
  ),
  diagnostics: v.array(diagnostic),
});
const filePath = v.pipe(
  v.string(),
  v.description("Native path: absolute, or relative to the folder"),
);

/** The shape of each command, and its JSON Schema. Members that are not named are ignored. */
export const scriptCommands: { readonly [V in ScriptVerb]: ToolInput<ScriptCommands[V]> } = {
  open: valibotInput(
    exactly<ScriptCommands["open"]>()(v.object({ do: v.literal("open"), filePath })),
  ),
  select: valibotInput(
    exactly<ScriptCommands["select"]>()(
      v.object({
        do: v.literal("select"),
        filePath,
        text: v.exactOptional(
          v.pipe(v.string(), v.description("What is selected; from the file when left out")),
        ),
        selection: v.pipe(
          range,
          v.description("0-based, characters in UTF-16 units, end not included"),
        ),
      }),
    ),
  ),
  clear: valibotInput(exactly<ScriptCommands["clear"]>()(v.object({ do: v.literal("clear") }))),
  mention: valibotInput(
    exactly<ScriptCommands["mention"]>()(
      v.object({
        do: v.literal("mention"),
        filePath,
        lineStart: v.exactOptional(
          v.pipe(count, v.description("First line, 0-based; the whole file when left out")),
        ),
        lineEnd: v.exactOptional(
          v.pipe(count, v.description("Last line, included; lineStart when left out")),
        ),
      }),
    ),
  ),
  diagnostics: valibotInput(
    exactly<ScriptCommands["diagnostics"]>()(
      v.object({ do: v.literal("diagnostics"), items: v.array(file) }),
    ),
  ),
  diff: valibotInput(
    exactly<ScriptCommands["diff"]>()(
      v.object({
        do: v.literal("diff"),
        answer: v.picklist(["accept", "accept-edited", "reject", "close", "wait"]),
        text: v.exactOptional(v.pipe(v.string(), v.description("accept-edited: the whole text"))),
        suffix: v.exactOptional(
          v.pipe(v.string(), v.description("accept-edited without text: added to the proposal")),
        ),
      }),
    ),
  ),
  drop: valibotInput(exactly<ScriptCommands["drop"]>()(v.object({ do: v.literal("drop") }))),
  stop: valibotInput(exactly<ScriptCommands["stop"]>()(v.object({ do: v.literal("stop") }))),
};

/** Whether `verb` names a command. */
export function isScriptVerb(verb: string): verb is ScriptVerb {
  return Object.hasOwn(scriptCommands, verb);
}
