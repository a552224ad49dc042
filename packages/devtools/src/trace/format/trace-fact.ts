import {
  describeValue,
  diagnosticSchema,
  type EditorChange,
  exactly,
  type ParseResult,
  parsed,
  rangeSchema,
  refused,
} from "@idewire/core/internal";
import * as v from "valibot";
import { describeIssue } from "../../describe-issue.ts";
import { membersOf, type SchemasOf } from "../../members-of.ts";
import type { EventKind, TraceFact } from "./trace-event.ts";

type FactOf<K extends EventKind> = Extract<TraceFact, { readonly ev: K }>;

const text = v.string();
const optionalText = v.exactOptional(text);
const direction = v.picklist(["agent>ide", "ide>agent"]);

function fact<K extends EventKind, E extends v.ObjectEntries>(kind: K, members: E) {
  return v.object({ ev: v.literal(kind), ...members });
}

function change<K extends EditorChange["kind"], E extends v.ObjectEntries>(kind: K, members: E) {
  return v.object({ kind: v.literal(kind), ...members });
}

const editorChange: v.GenericSchema<unknown, EditorChange> = v.variant("kind", [
  change("text", { path: text, text, unsaved: v.exactOptional(v.boolean()) }),
  change("deleted", { path: text }),
  change("opened", { path: text }),
  change("closed", { path: text }),
  change("selected", { path: text, range: rangeSchema }),
  change("diagnostics", { path: text, diagnostics: v.array(diagnosticSchema) }),
  change("review-opened", {
    id: text,
    path: text,
    title: text,
    original: text,
    proposed: text,
    base: optionalText,
    notes: v.exactOptional(v.array(text)),
    outside: v.exactOptional(v.boolean()),
  }),
  change("review-closed", { id: text, outcome: text, by: optionalText }),
]);

/** Without `editor`, whose schema is a variant: `exactly` cannot compare it. */
const entries = membersOf(
  exactly<{ [K in Exclude<EventKind, "editor">]: FactOf<K> }>()(
    v.object({
      open: fact("open", { ch: text, protocol: optionalText }),
      close: fact("close", { ch: text, code: v.number(), reason: text }),
      frame: fact("frame", {
        ch: text,
        dir: direction,
        raw: text,
        form: v.exactOptional(v.picklist(["binary", "not-utf8"])),
        cut: v.exactOptional(v.number()),
        pieces: v.exactOptional(v.number()),
        fault: optionalText,
        lost: v.exactOptional(v.boolean()),
      }),
      control: fact("control", {
        ch: text,
        dir: direction,
        op: v.picklist(["ping", "pong", "upgrade", "refused"]),
        text: optionalText,
      }),
      http: fact("http", {
        ch: text,
        exchange: v.number(),
        part: v.picklist(["request", "response", "event", "end"]),
        method: optionalText,
        url: optionalText,
        browser: v.exactOptional(v.literal(true)),
        carries: v.exactOptional(
          v.array(v.object({ method: text, id: v.exactOptional(v.union([text, v.number()])) })),
        ),
        headers: v.exactOptional(v.array(v.tuple([text, text]))),
        status: v.exactOptional(v.number()),
        id: optionalText,
        type: optionalText,
        retry: v.exactOptional(v.number()),
        units: v.exactOptional(v.number()),
        bytes: v.exactOptional(v.number()),
        text: optionalText,
        problem: optionalText,
      }),
      failed: fact("failed", {
        ch: text,
        dir: direction,
        id: v.union([text, v.number()]),
        reason: text,
      }),
      lock: fact("lock", { what: v.picklist(["created", "removed"]), file: text }),
      action: fact("action", { who: v.picklist(["person", "agent"]), text }),
      transcript: fact("transcript", { text, who: v.exactOptional(v.literal("idewire")) }),
      fault: fact("fault", { text }),
    }),
  ),
);

const schemas: SchemasOf<{ [K in EventKind]: FactOf<K> }> = {
  ...entries,
  editor: fact("editor", { change: editorChange }),
};

type FactSchema = v.ObjectSchema<{ readonly ev: v.LiteralSchema<EventKind, undefined> }, undefined>;

const anyFact: unknown = v.variant("ev", Object.values<unknown>(schemas) as [FactSchema]);

/** The schema of an event without its stamp. */
export const factSchema: v.GenericSchema<unknown, TraceFact> = anyFact as v.GenericSchema<
  unknown,
  TraceFact
>;

/** Parses an event without its stamp; unknown members are left out. */
export function parseFact(value: Readonly<Record<string, unknown>>): ParseResult<TraceFact> {
  const kind = value["ev"];
  if (typeof kind !== "string" || !Object.hasOwn(schemas, kind)) {
    const wanted = `"ev" must be one of ${Object.keys(schemas).join(", ")}`;
    return refused(`${wanted}, saw ${describeValue(kind)}`);
  }
  const read = v.safeParse(schemas[kind as EventKind], value);
  if (read.success) return parsed(read.output);
  const [issue] = read.issues;
  return refused(describeIssue(issue, `"${kind}"`));
}
