import type { ImplementationName } from "./implementation.ts";

/** An implementation with a workload, in a separate process. */
export interface Subject {
  /** Performs some operations and returns their number. */
  run?(): Promise<number>;
  /** The CPU time so far of a second process, if the workload uses one. */
  cpuMicrosElsewhere?(): Promise<number>;
  /** Measures something other than time, once. */
  measure?(): Promise<number>;
  close(): Promise<void>;
}

/** A workload for any implementation. */
export type Workload = (name: ImplementationName, options: WorkloadOptions) => Promise<Subject>;

/** Parameters that distinguish the rows of a workload, such as the number of calls in flight. */
export type WorkloadOptions = Readonly<Record<string, number>>;

/** The parent's requests to a child, and the answers. */
export type Question =
  | { readonly do: "sample"; readonly forMs: number }
  | { readonly do: "measure" }
  | { readonly do: "close" };

export type Answer =
  | { readonly is: "open" }
  | { readonly is: "sample"; readonly sample: Sample }
  | { readonly is: "value"; readonly value: number }
  | { readonly is: "failure"; readonly message: string };

/** The result of an implementation in a round. */
export interface Sample {
  readonly operations: number;
  /** Of the whole process, including GC and compiler threads, and of a second process. */
  readonly cpuMicros: number;
  readonly wallMicros: number;
}
