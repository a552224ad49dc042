/** A function of a source and how many paths lead through it. */
export interface FunctionComplexity {
  /** As it is declared, or what it is assigned to; `anonymous` for others. */
  readonly name: string;
  /** 1-based; the end is included. */
  readonly line: number;
  readonly endLine: number;
  /** 1 and one for each branch, as ESLint's rule `complexity` counts; functions inside count for themselves. */
  readonly complexity: number;
  /** The branches by kind, such as `if` and `&&`, the most frequent first. */
  readonly branches: readonly (readonly [kind: string, count: number])[];
}
