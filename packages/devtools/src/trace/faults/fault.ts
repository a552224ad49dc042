import {
  describeValue,
  exactly,
  isObject,
  type ParseResult,
  parsed,
  refused,
} from "@idewire/core/internal";
import * as v from "valibot";
import { describeIssue } from "../../describe-issue.ts";
import { parseFilter } from "../filter/filter.ts";

/** A fault that affects a frame in transit. */
export type Fault =
  /** It is delayed, with all frames after it; by up to `jitterMs` more, chosen by the seed. */
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
  /** A member of the message, chosen by the seed, gets a value of another type. */
  | { readonly kind: "wrong-type" }
  /** It is padded with spaces to this length. */
  | { readonly kind: "oversize"; readonly units: number }
  /** Nothing passes in this direction for this long; then everything at once. */
  | { readonly kind: "silence"; readonly ms: number }
  /** The connection closes instead. */
  | { readonly kind: "close"; readonly code: number };

/** The names of the faults, in the order in which they are offered. */
export type FaultKind = Fault["kind"];

/** When a fault is injected. */
export interface FaultRule {
  /** A filter; see parseFilter. */
  readonly match: string;
  /** Only the nth match, counted from 1; every match when left out. */
  readonly nth?: number;
  /** The probability, from 0 to 1, decided by the seed; 1 when left out. */
  readonly chance?: number;
  readonly fault: Fault;
}

/** Faults to inject: the same plan does the same to the same frames. */
export interface FaultPlan {
  /** A 32-bit number. */
  readonly seed: number;
  /** The first rule that applies to a frame is used. */
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

/** The schema of a plan; {@link parseFaultPlan} checks its filters as well. */
export const faultPlanSchema: v.GenericSchema<unknown, FaultPlan> = exactly<FaultPlan>()(
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

/** Parses a plan from a link or a file, and checks its filters. */
export function parseFaultPlan(value: unknown): ParseResult<FaultPlan> {
  if (!isObject(value)) return refused(`expected a plan of faults, got ${describeValue(value)}`);
  const read = v.safeParse(faultPlanSchema, value);
  if (!read.success) {
    const [issue] = read.issues;
    return refused(describeIssue(issue, "a plan of faults"));
  }
  for (const [index, { match }] of read.output.rules.entries()) {
    const filter = parseFilter(match);
    if (!filter.ok) return refused(`"match" in item ${index + 1} in "rules": ${filter.issue}`);
  }
  return parsed(read.output);
}
