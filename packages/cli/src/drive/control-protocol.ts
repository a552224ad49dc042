import { type CompiledInput, compileInput, exactly } from "@idewire/core/internal";
import * as v from "valibot";
import type { TypedPosition } from "../serve/terminal/prompt/place.ts";

// The requests of `idewire select` and the like to the editor that serves the folder: the editor commands, with
// native absolute paths, and one query.

/** A range as people name it: lines and columns count from 1. */
export interface TypedRange {
  readonly path: string;
  readonly start: TypedPosition;
  readonly end: TypedPosition;
}

const ordinal = v.pipe(v.number(), v.integer(), v.minValue(1));
const typed = v.object({ line: ordinal, column: v.exactOptional(ordinal) });

export const typedRange: CompiledInput<TypedRange> = compileInput(
  "range",
  exactly<TypedRange>()(v.object({ path: v.string(), start: typed, end: typed })),
);
