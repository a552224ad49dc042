import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import { type CompiledInput, compileInput } from "../../mcp/schemas/compile-schema.ts";
import { diagnosticSchema, linesSchema, rangeSchema } from "../model-schemas.ts";
import type { EditorCommandOf, EditorVerb } from "./editor-command.ts";

/** A command as received: its paths are unresolved. */
type Written<V extends EditorVerb> = EditorCommandOf<V, string>;

/** The validation and the JSON Schema of each command. */
export type EditorCommandInputs = { readonly [V in EditorVerb]: CompiledInput<Written<V>> };

const text = v.string();
const path = text;

const answer = v.variant("kind", [
  v.object({
    kind: v.literal("accepted"),
    text: v.pipe(text, v.description("The exact text that is accepted")),
  }),
  v.object({
    kind: v.literal("rejected"),
    comments: v.exactOptional(
      v.pipe(text, v.description("The person's comments on the proposal, for the agent")),
    ),
  }),
  v.object({ kind: v.literal("closed") }),
]);

/** The schema of each command. Unknown members are dropped. */
export const editorCommandSchemas: {
  readonly [V in EditorVerb]: v.GenericSchema<unknown, Written<V>>;
} = {
  open: exactly<Written<"open">>()(v.object({ do: v.literal("open"), path })),
  close: exactly<Written<"close">>()(
    v.object({
      do: v.literal("close"),
      path,
      discard: v.exactOptional(
        v.pipe(v.boolean(), v.description("Whether to discard unsaved text")),
      ),
    }),
  ),
  edit: exactly<Written<"edit">>()(
    v.object({
      do: v.literal("edit"),
      path,
      text: v.pipe(text, v.description("The whole unsaved text")),
      over: v.exactOptional(v.pipe(text, v.description("The text that was typed over"))),
      restores: v.exactOptional(
        v.pipe(v.boolean(), v.description("Whether unsaved text that exists is left as it is")),
      ),
    }),
  ),
  save: exactly<Written<"save">>()(v.object({ do: v.literal("save"), path })),
  revert: exactly<Written<"revert">>()(v.object({ do: v.literal("revert"), path })),
  keepUnsaved: exactly<Written<"keepUnsaved">>()(v.object({ do: v.literal("keepUnsaved"), path })),
  select: exactly<Written<"select">>()(
    v.object({
      do: v.literal("select"),
      path,
      range: rangeSchema,
      text: v.exactOptional(
        v.pipe(text, v.description("The selected text; by default the document's")),
      ),
    }),
  ),
  clearSelection: exactly<Written<"clearSelection">>()(
    v.object({ do: v.literal("clearSelection") }),
  ),
  mention: exactly<Written<"mention">>()(
    v.object({ do: v.literal("mention"), path, lines: v.exactOptional(linesSchema) }),
  ),
  setDiagnostics: exactly<Written<"setDiagnostics">>()(
    v.object({
      do: v.literal("setDiagnostics"),
      files: v.array(v.object({ path, diagnostics: v.array(diagnosticSchema) })),
    }),
  ),
  answerDiff: exactly<Written<"answerDiff">>()(
    v.object({ do: v.literal("answerDiff"), id: text, answer }),
  ),
};

let inputs: EditorCommandInputs | undefined;

/** The validation and the JSON Schema of each command; created on first use. */
export function editorCommandInputs(): EditorCommandInputs {
  inputs ??= Object.fromEntries(
    Object.entries(editorCommandSchemas).map(([verb, schema]) => [
      verb,
      compileInput(`command ${verb}`, schema),
    ]),
  ) as EditorCommandInputs;
  return inputs;
}

/** Whether a value is the name of a command. */
export function isEditorVerb(verb: unknown): verb is EditorVerb {
  return typeof verb === "string" && Object.hasOwn(editorCommandSchemas, verb);
}
