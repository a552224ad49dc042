import type { ImplementationName } from "./implementation.ts";

/** One implementation at one workload, in a process of its own. */
export interface Subject {
  /** Does some operations and says how many. */
  run?(): Promise<number>;
  /** The CPU time that a process beside this one has taken so far, where one works too. */
  cpuMicrosElsewhere?(): Promise<number>;
  /** Measures something else than time, once. */
  measure?(): Promise<number>;
  close(): Promise<void>;
}

/** What is done, by any implementation. */
export type Workload = (name: ImplementationName, options: WorkloadOptions) => Promise<Subject>;

/** Numbers that tell the rows of one workload apart, such as how many calls are in flight. */
export type WorkloadOptions = Readonly<Record<string, number>>;

/** The parent's questions to a child, and the answers. */
export type Question =
  | { readonly do: "sample"; readonly forMs: number }
  | { readonly do: "measure" }
  | { readonly do: "close" };

export type Answer =
  | { readonly is: "open" }
  | { readonly is: "sample"; readonly sample: Sample }
  | { readonly is: "value"; readonly value: number }
  | { readonly is: "failure"; readonly message: string };

/** What one implementation did in one round. */
export interface Sample {
  readonly operations: number;
  /** Of the whole process, GC and compiler threads included, and of a child that works too. */
  readonly cpuMicros: number;
  readonly wallMicros: number;
}
