import {
  type Diagnostic,
  type DiagnosticSeverity,
  describeValue,
  type EditorChange,
  exactly,
  type ParseResult,
  parsed,
  type Range,
  refused,
} from "@idewire/core";
import * as v from "valibot";
import type {
  ActionEvent,
  CloseEvent,
  ControlEvent,
  Direction,
  EditorEvent,
  EventKind,
  FaultEvent,
  FrameEvent,
  FrameForm,
  LockEvent,
  OpenEvent,
  TraceFact,
  TranscriptEvent,
} from "./trace-event.ts";

const directions = ["agent>ide", "ide>agent"] as const satisfies readonly Direction[];
const direction = v.picklist(directions);
const forms = ["binary", "not-utf8"] as const satisfies readonly FrameForm[];
const severities = [
  "error",
  "warning",
  "information",
  "hint",
] as const satisfies readonly DiagnosticSeverity[];

const position = v.object({ line: v.number(), character: v.number() });
const range = exactly<Range>()(v.object({ start: position, end: position }));
const diagnostic = exactly<Diagnostic>()(
  v.object({
    range: v.object({ start: position, end: position }),
    severity: v.picklist(severities),
    message: v.string(),
    source: v.exactOptional(v.string()),
    code: v.exactOptional(v.union([v.string(), v.number()])),
  }),
);

const change: v.GenericSchema<unknown, EditorChange> = v.variant("kind", [
  v.object({
    kind: v.literal("text"),
    path: v.string(),
    text: v.string(),
    unsaved: v.exactOptional(v.boolean()),
  }),
  v.object({ kind: v.literal("deleted"), path: v.string() }),
  v.object({ kind: v.literal("opened"), path: v.string() }),
  v.object({ kind: v.literal("closed"), path: v.string() }),
  v.object({ kind: v.literal("selected"), path: v.string(), range }),
  v.object({ kind: v.literal("diagnostics"), path: v.string(), diagnostics: v.array(diagnostic) }),
  v.object({
    kind: v.literal("review-opened"),
    id: v.string(),
    path: v.string(),
    title: v.string(),
    original: v.string(),
    proposed: v.string(),
  }),
  v.object({
    kind: v.literal("review-closed"),
    id: v.string(),
    outcome: v.string(),
    by: v.exactOptional(v.string()),
  }),
]);

const schemas: { readonly [K in EventKind]: v.GenericSchema<unknown, TraceFact & { ev: K }> } = {
  open: exactly<OpenEvent>()(
    v.object({ ev: v.literal("open"), ch: v.string(), protocol: v.exactOptional(v.string()) }),
  ),
  close: exactly<CloseEvent>()(
    v.object({ ev: v.literal("close"), ch: v.string(), code: v.number(), reason: v.string() }),
  ),
  frame: exactly<FrameEvent>()(
    v.object({
      ev: v.literal("frame"),
      ch: v.string(),
      dir: direction,
      raw: v.string(),
      form: v.exactOptional(v.picklist(forms)),
      cut: v.exactOptional(v.number()),
      pieces: v.exactOptional(v.number()),
      fault: v.exactOptional(v.string()),
      lost: v.exactOptional(v.boolean()),
    }),
  ),
  control: exactly<ControlEvent>()(
    v.object({
      ev: v.literal("control"),
      ch: v.string(),
      dir: direction,
      op: v.picklist(["ping", "pong", "upgrade", "refused"]),
      text: v.exactOptional(v.string()),
    }),
  ),
  lock: exactly<LockEvent>()(
    v.object({
      ev: v.literal("lock"),
      what: v.picklist(["created", "removed"]),
      file: v.string(),
    }),
  ),
  gesture: exactly<ActionEvent>()(
    v.object({
      ev: v.literal("gesture"),
      who: v.picklist(["person", "agent"]),
      text: v.string(),
    }),
  ),
  transcript: exactly<TranscriptEvent>()(
    v.object({
      ev: v.literal("transcript"),
      text: v.string(),
      who: v.exactOptional(v.literal("idewire")),
    }),
  ),
  fault: exactly<FaultEvent>()(v.object({ ev: v.literal("fault"), text: v.string() })),
  editor: v.object({ ev: v.literal("editor"), change }) as v.GenericSchema<unknown, EditorEvent>,
};

/** Checks what one event tells; members that are not known are left out. */
export function parseFact(value: Readonly<Record<string, unknown>>): ParseResult<TraceFact> {
  const kind = value["ev"];
  if (typeof kind !== "string" || !Object.hasOwn(schemas, kind)) {
    const wanted = `"ev" must be one of ${Object.keys(schemas).join(", ")}`;
    return refused(`${wanted}; got ${describeValue(kind)}`);
  }
  const read = v.safeParse(schemas[kind as EventKind], value);
  if (read.success) return parsed(read.output);
  const [issue] = read.issues;
  const where = v.getDotPath(issue) ?? kind;
  return refused(`"${where}" of a ${kind} event: ${issue.message}`);
}
