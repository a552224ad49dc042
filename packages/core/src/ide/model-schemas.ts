import * as v from "valibot";
import { exactly } from "../exactly.ts";
import type { Position, Range } from "../text/position.ts";
import type { Diagnostic } from "./editor-host.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const text = v.string();

const position = v.object({
  line: v.pipe(count, v.description("0-based")),
  character: v.pipe(count, v.description("0-based, in UTF-16 units")),
});

/** A count or a 0-based index. */
export const countSchema: v.GenericSchema<unknown, number> = exactly<number>()(count);

export const positionSchema: v.GenericSchema<unknown, Position> = exactly<Position>()(position);

export const rangeSchema: v.GenericSchema<unknown, Range> = exactly<Range>()(
  v.object({ start: position, end: position }),
);

/** First and last line, 0-based and inclusive. */
export const linesSchema: v.GenericSchema<
  unknown,
  { readonly start: number; readonly end: number }
> = exactly<{ readonly start: number; readonly end: number }>()(
  v.pipe(
    v.object({ start: count, end: count }),
    v.description("First and last line, 0-based and inclusive; by default the whole file"),
  ),
);

export const diagnosticSchema: v.GenericSchema<unknown, Diagnostic> = exactly<Diagnostic>()(
  v.object({
    range: v.object({ start: position, end: position }),
    severity: v.picklist(["error", "warning", "information", "hint"]),
    message: text,
    source: v.exactOptional(text),
    code: v.exactOptional(v.union([text, v.number()])),
  }),
);
