import { exactly } from "@idewire/core/internal";
import { type ToolInput, valibotInput } from "@idewire/core/server";
import * as v from "valibot";
import type { TypedPosition } from "../serve/terminal/prompt/place.ts";

// What `idewire select` and its like ask of the editor that serves the folder: that it carries out an
// editor command with native absolute paths, whose method is `control/` and its verb.

export type ControlVerb = "open" | "select" | "clearSelection" | "mention" | "setDiagnostics";

/** The commands of key bindings. Answering a diff is not among them: it must be seen to be answered. */
export const controlVerbs: readonly ControlVerb[] = [
  "open",
  "select",
  "clearSelection",
  "mention",
  "setDiagnostics",
];

/** The method that finds a range in the editor's text of a file; its result is the range. */
export const FIND_RANGE = "control/findRange";

/** A range as people name it: lines and columns count from 1. */
export interface TypedRange {
  readonly path: string;
  readonly start: TypedPosition;
  readonly end: TypedPosition;
}

const ordinal = v.pipe(v.number(), v.integer(), v.minValue(1));
const typed = v.object({ line: ordinal, column: v.exactOptional(ordinal) });

export const typedRange: ToolInput<TypedRange> = valibotInput(
  exactly<TypedRange>()(v.object({ path: v.string(), start: typed, end: typed })),
);
