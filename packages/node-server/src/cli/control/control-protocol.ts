import { exactly, type FileDiagnostics, type ToolInput, valibotInput } from "@idewire/core";
import * as v from "valibot";
import type { TypedPosition } from "../terminal/place.ts";

// What `idewire select` and its like ask of the editor that serves the folder. Paths are native and
// absolute; lines and columns count from 1, as people write them.

export type ControlDiagnostic = FileDiagnostics["diagnostics"][number];

/** What can be asked, by verb. */
export interface ControlCommands {
  open: { readonly path: string };
  select: {
    readonly path: string;
    readonly start: TypedPosition;
    readonly end: TypedPosition;
    /** What is selected, of a text that is not saved; from the file when left out. */
    readonly text?: string;
  };
  clear: Record<never, never>;
  mention: { readonly path: string; readonly start?: TypedPosition; readonly end?: TypedPosition };
  /** All that is wrong, in place of what was said before. */
  diagnose: {
    readonly files: readonly {
      readonly path: string;
      readonly diagnostics: readonly ControlDiagnostic[];
    }[];
  };
}

export type ControlVerb = keyof ControlCommands;

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const ordinal = v.pipe(v.number(), v.integer(), v.minValue(1));
const typed = v.object({ line: ordinal, column: v.exactOptional(ordinal) });
const position = v.object({ line: count, character: count });
const diagnostic = v.object({
  range: v.object({ start: position, end: position }),
  severity: v.picklist(["error", "warning", "information", "hint"]),
  message: text,
  source: v.exactOptional(text),
  code: v.exactOptional(v.union([text, v.number()])),
});

/** The check of what comes, by verb; the method's name is `control/` and the verb. */
export const controlCommands: {
  readonly [V in ControlVerb]: ToolInput<ControlCommands[V]>;
} = {
  open: valibotInput(exactly<ControlCommands["open"]>()(v.object({ path: text }))),
  select: valibotInput(
    exactly<ControlCommands["select"]>()(
      v.object({ path: text, start: typed, end: typed, text: v.exactOptional(text) }),
    ),
  ),
  clear: valibotInput(exactly<ControlCommands["clear"]>()(v.object({}))),
  mention: valibotInput(
    exactly<ControlCommands["mention"]>()(
      v.object({ path: text, start: v.exactOptional(typed), end: v.exactOptional(typed) }),
    ),
  ),
  diagnose: valibotInput(
    exactly<ControlCommands["diagnose"]>()(
      v.object({ files: v.array(v.object({ path: text, diagnostics: v.array(diagnostic) })) }),
    ),
  ),
};
