import { describeValue, exactly, isObject, type ParseResult, parsed, refused } from "@idewire/core";
import * as v from "valibot";
import { parseFilter } from "../filter/filter.ts";

/** One thing that can go wrong with a frame on its way. */
export type Fault =
  /** It comes later, and with it all behind it; up to `jitterMs` more, by the seed. */
  | { readonly kind: "delay"; readonly ms: number; readonly jitterMs?: number }
  | { readonly kind: "drop" }
  | { readonly kind: "duplicate" }
  /** The next `behind` frames of the direction overtake it. */
  | { readonly kind: "reorder"; readonly behind: number }
  /** Only the first `keep` UTF-16 units arrive. */
  | { readonly kind: "truncate"; readonly keep: number }
  | { readonly kind: "malformed" }
  | { readonly kind: "wrong-id" }
  | { readonly kind: "missing-id" }
  | { readonly kind: "missing-jsonrpc" }
  /** A member of the message becomes a value of another type, chosen by the seed. */
  | { readonly kind: "wrong-type" }
  /** Blanks are added until it is so long. */
  | { readonly kind: "oversize"; readonly units: number }
  /** From here on nothing passes in this direction for so long; then all at once. */
  | { readonly kind: "silence"; readonly ms: number }
  /** The connection ends instead. */
  | { readonly kind: "close"; readonly code: number };

/** The names of the faults, in the order in which they are offered. */
export type FaultKind = Fault["kind"];

/** When a fault strikes. */
export interface FaultRule {
  /** A filter; see parseFilter. */
  readonly match: string;
  /** Only the nth match, counted from 1; every match when left out. */
  readonly nth?: number;
  /** How likely it is to strike, from 0 to 1, by the seed; always when left out. */
  readonly chance?: number;
  readonly fault: Fault;
}

/** What goes wrong: the same plan over the same frames does the same. */
export interface FaultPlan {
  /** A 32-bit number. */
  readonly seed: number;
  /** The first rule that strikes a frame has it. */
  readonly rules: readonly FaultRule[];
}

const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(3_600_000));
const units = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(64_000_000));

const fault = v.variant("kind", [
  v.object({ kind: v.literal("delay"), ms: milliseconds, jitterMs: v.exactOptional(milliseconds) }),
  v.object({ kind: v.literal("drop") }),
  v.object({ kind: v.literal("duplicate") }),
  v.object({
    kind: v.literal("reorder"),
    behind: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
  }),
  v.object({ kind: v.literal("truncate"), keep: units }),
  v.object({ kind: v.literal("malformed") }),
  v.object({ kind: v.literal("wrong-id") }),
  v.object({ kind: v.literal("missing-id") }),
  v.object({ kind: v.literal("missing-jsonrpc") }),
  v.object({ kind: v.literal("wrong-type") }),
  v.object({ kind: v.literal("oversize"), units }),
  v.object({ kind: v.literal("silence"), ms: milliseconds }),
  v.object({
    kind: v.literal("close"),
    code: v.pipe(v.number(), v.integer(), v.minValue(1000), v.maxValue(4999)),
  }),
]);

const plan = exactly<FaultPlan>()(
  v.object({
    seed: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffff_ffff)),
    rules: v.pipe(
      v.array(
        v.object({
          match: v.string(),
          nth: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
          chance: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
          fault,
        }),
      ),
      v.maxLength(100),
    ),
  }),
);

/** Checks a plan that comes from a link or a file, its filters included. */
export function parseFaultPlan(value: unknown): ParseResult<FaultPlan> {
  if (!isObject(value)) return refused(`expected a plan of faults, got ${describeValue(value)}`);
  const read = v.safeParse(plan, value);
  if (!read.success) {
    const [issue] = read.issues;
    return refused(`${v.getDotPath(issue) ?? "plan"}: ${issue.message}`);
  }
  for (const [index, { match }] of read.output.rules.entries()) {
    const filter = parseFilter(match);
    if (!filter.ok) return refused(`rules.${index}.match: ${filter.issue}`);
  }
  return parsed(read.output);
}
