import { sendLogEvent } from "@idewire/core";
import { type EventFacts as CoreEventFacts, ideEvents } from "@idewire/devtools/internal";
import type { CapturedContext } from "./capture.ts";
import { mentionFile, mentionLines, selectTwice, selectWords, warn } from "./context.ts";

/** The documentation of a dialect's notification: core's facts, and examples. */
export interface EventFacts extends CoreEventFacts {
  readonly examples: readonly EventExample[];
}

export interface EventExample {
  readonly title: string;
  /** Causes it; left out if it is sent unasked. */
  readonly act?: (context: CapturedContext) => void;
  /** The name of the agent; `claude-code` when left out. */
  readonly agent?: "opencode";
}

type Shape = CoreEventFacts["schema"];

/** The shape of an object, all of whose members but the optional ones are required. */
export function object(
  properties: Readonly<Record<string, Shape>>,
  optional: readonly string[] = [],
): Shape {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

function orNull(shape: Shape): Shape {
  return { anyOf: [shape, { type: "null" }] };
}

export const path: Shape = { type: "string", description: "Absolute path" };
const line: Shape = { type: "integer", minimum: 0, description: "0-based" };
const position = object({ line, character: { ...line, description: "0-based, in UTF-16 units" } });
export const range = object({ start: position, end: position });

/** The facts of devtools about a notification of the claude-code dialect. */
function known(method: string): CoreEventFacts {
  const found = ideEvents.find((facts) => facts.method === method);
  if (found === undefined) throw new Error(`ideEvents has no ${method}`);
  return found;
}

const claudeSelection = known("selection_changed");
const claudeMention = known("at_mentioned");
const ideConnected = known("ide_connected");
const diagnosticsChanged = known("diagnostics_changed");
const logEvent = known("log_event");

const claudeCodeSpecSelection: CoreEventFacts = {
  ...claudeSelection,
  understoodBy: "Clients written after seed 002; Claude Code reads it unless it has a null.",
  sources: ["s2:selection-changed", "s2:selection-text-null", "s2:selection-path-null"],
  schema: object({
    selection: range,
    text: orNull({ type: "string" }),
    filePath: orNull({ ...path, description: "With forward slashes, /c/Users/… on Windows" }),
  }),
};

const claudeCodeSpecMention: CoreEventFacts = {
  ...claudeMention,
  understoodBy: "Clients written after seed 002; opencode drops a mention whose lines are null.",
  sources: ["s2:at-mentioned", "s2:at-mentioned-start", "s2:at-mentioned-end"],
  schema: object({ filePath: path, lineStart: orNull(line), lineEnd: orNull(line) }),
};

const claudeCodeSpecDiagnostics: CoreEventFacts = {
  ...diagnosticsChanged,
  sources: ["s2:diagnostics-changed"],
  schema: object({
    uri: { type: "string", description: "file:// URI" },
    diagnostics: {
      type: "array",
      items: object({
        message: { type: "string" },
        severity: { enum: ["ERROR", "WARNING", "INFO", "WEAK_WARNING"] },
        range,
      }),
    },
  }),
};

const jetBrainsConnected: CoreEventFacts = {
  method: "notifications/ide_connected",
  from: "editor",
  when: "Once, before everything else that the editor sends.",
  understoodBy: "Clients of seed 000.",
  sources: ["s0:ide-connected"],
  schema: object({ project_path: path }),
};

const jetBrainsSelection: CoreEventFacts = {
  method: "notifications/selection_changed",
  from: "editor",
  when: "The selection has changed, and 300 ms after the handshake.",
  understoodBy: "Clients of seed 000. Claude Code ignores it, because of its prefix.",
  sources: ["s0:selection-changed", "s0:notification"],
  schema: object({ file_path: orNull(path), range: orNull(range) }),
};

const jetBrainsMention: CoreEventFacts = {
  ...claudeMention,
  understoodBy: "Clients of seed 002; seed 000 has none.",
  sources: ["s2:at-mentioned"],
};

const selections: readonly EventExample[] = [
  { title: "Words are selected", act: ({ host }) => selectWords(host) },
  { title: "No file is open: what clears", act: ({ host }) => host.setSelection(undefined) },
  { title: "Two ranges, to opencode", act: ({ host }) => selectTwice(host), agent: "opencode" },
  {
    title: "No file is open, to opencode",
    act: ({ host }) => host.setSelection(undefined),
    agent: "opencode",
  },
];
const mentions: readonly EventExample[] = [
  { title: "Lines", act: ({ host }) => mentionLines(host) },
  { title: "A whole file", act: ({ host }) => mentionFile(host) },
];
const connections: readonly EventExample[] = [
  {
    title: "As Claude Code says it",
    act: (context) => context.notify("ide_connected", { pid: 4242 }),
  },
];
const warnings: readonly EventExample[] = [{ title: "A warning", act: ({ host }) => warn(host) }];

export const claudeEvents: readonly EventFacts[] = [
  { ...claudeSelection, examples: selections },
  { ...claudeMention, examples: mentions },
  { ...ideConnected, examples: connections },
];

export const neovimEvents: readonly EventFacts[] = [
  ...claudeEvents,
  { ...diagnosticsChanged, examples: warnings },
  {
    ...logEvent,
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

export const claudeCodeSpecEvents: readonly EventFacts[] = [
  { ...claudeCodeSpecSelection, examples: selections.filter(({ agent }) => agent === undefined) },
  { ...claudeCodeSpecMention, examples: mentions },
  { ...claudeCodeSpecDiagnostics, examples: warnings },
  { ...ideConnected, examples: connections },
];

export const jetBrainsEvents: readonly EventFacts[] = [
  { ...jetBrainsConnected, examples: [{ title: "After the handshake" }] },
  {
    ...jetBrainsSelection,
    examples: [
      { title: "Words are selected", act: ({ host }) => selectWords(host) },
      { title: "No file is open", act: ({ host }) => host.setSelection(undefined) },
    ],
  },
  { ...jetBrainsMention, examples: mentions },
];
