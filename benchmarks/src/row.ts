import type { ImplementationName } from "./implementation.ts";
import type { Summary } from "./statistics.ts";
import type { WorkloadOptions } from "./subject.ts";

/** A contestant: an implementation, or ours from another checkout. */
export type Contestant = ImplementationName | "before";

/** A line of the table. */
export interface Row {
  /** Its id on the command line and in the JSON; the part before the dash is its group. */
  readonly id: string;
  readonly title: string;
  readonly unit: "ratio" | "MB" | "kB" | "ms" | "thousand" | "rules" | "of 11" | "of 100";
  /** The limit of our own figure, an upper or a lower one. */
  readonly budget: { readonly limit: number; readonly atLeast?: boolean };
  /** Whether the run fails when the budget is exceeded; the others are goals. */
  readonly mustHold: boolean;
  readonly how: Ratio | Value | Own;
}

/** CPU time per operation over the floor's in the same round, each contestant in its own process. */
export interface Ratio {
  readonly kind: "ratio";
  readonly workload: string;
  readonly options: WorkloadOptions;
  /** Contestants without this feature. */
  readonly without?: readonly Contestant[];
}

/** A figure measured by the workload itself, in a new process each time. */
export interface Value {
  readonly kind: "value";
  readonly workload: string;
  optionsOf(name: Contestant): WorkloadOptions;
  /** Contestants without this feature. */
  readonly without?: readonly Contestant[];
}

/** A figure without a workload. */
export interface Own {
  readonly kind: "own";
  measure(settings: Settings): Promise<Figures>;
}

/** The figures of each contestant by round. */
export type Figures = Partial<Readonly<Record<Contestant, readonly number[]>>>;

/** What a run measures, and how often. */
export interface Settings {
  readonly rounds: number;
  readonly sampleMs: number;
  readonly warmUpMs: number;
  /** How often each value is measured. */
  readonly repeats: number;
  readonly contestants: readonly Contestant[];
  /** The root of the checkout for `before`, which is installed and built. */
  readonly against?: string;
  /** Where child processes write CPU profiles. */
  readonly profileFolder?: string;
}

/** A measured row. */
export interface Result {
  readonly row: Row;
  /** In the row's unit. */
  readonly figures: Partial<Readonly<Record<Contestant, Summary>>>;
  /** Ours over `before`, round by round. */
  readonly change?: Summary;
  /** For a ratio: the CPU time of one operation of the floor, in microseconds. */
  readonly floorMicros?: Summary;
  readonly verdict: "ok" | "OVER";
}
