import type { ImplementationName } from "./implementation.ts";
import type { Summary } from "./statistics.ts";
import type { WorkloadOptions } from "./subject.ts";

/** Who is measured: an implementation, or ours as another checkout has it. */
export type Contestant = ImplementationName | "before";

/** One line of the table. */
export interface Row {
  /** What the command line and the JSON call it; the part before the dash names its group. */
  readonly id: string;
  readonly title: string;
  readonly unit: "ratio" | "MB" | "kB" | "ms" | "thousand" | "rules" | "of 11" | "of 100";
  /** What our own figure may be: at most, or at least. */
  readonly budget: { readonly limit: number; readonly atLeast?: boolean };
  /** Whether the run fails when the budget is exceeded; the others are goals. */
  readonly mustHold: boolean;
  readonly how: Ratio | Value | Own;
}

/** CPU time per operation over the floor's of the same round, each contestant in its own process. */
export interface Ratio {
  readonly kind: "ratio";
  readonly workload: string;
  readonly options: WorkloadOptions;
  /** Who has nothing of the kind. */
  readonly without?: readonly Contestant[];
}

/** A figure that a workload measures by itself, in a fresh process each time. */
export interface Value {
  readonly kind: "value";
  readonly workload: string;
  optionsOf(name: Contestant): WorkloadOptions;
  /** Who has nothing of the kind. */
  readonly without?: readonly Contestant[];
}

/** A figure that needs no workload. */
export interface Own {
  readonly kind: "own";
  measure(settings: Settings): Promise<Figures>;
}

/** What each contestant got, round by round. */
export type Figures = Partial<Readonly<Record<Contestant, readonly number[]>>>;

/** How long a run takes. */
export interface Settings {
  readonly rounds: number;
  readonly sampleMs: number;
  readonly warmUpMs: number;
  /** How often a value is measured. */
  readonly repeats: number;
  readonly contestants: readonly Contestant[];
  /** The root of the checkout that `before` is; it is installed and built. */
  readonly against?: string;
  /** Where the children write CPU profiles. */
  readonly profileFolder?: string;
}

/** A row that was measured. */
export interface Result {
  readonly row: Row;
  /** In the row's unit. */
  readonly figures: Partial<Readonly<Record<Contestant, Summary>>>;
  /** Ours over `before`, round by round. */
  readonly change?: Summary;
  /** Of a ratio: the CPU time of one operation of the floor, in microseconds. */
  readonly floorMicros?: Summary;
  readonly verdict: "ok" | "OVER";
}
