/** A function of a source and its cyclomatic complexity. */
export interface FunctionComplexity {
  /** Its declared name, or the name it is assigned to; else `anonymous`. */
  readonly name: string;
  /** 1-based; the end is inclusive. */
  readonly line: number;
  readonly endLine: number;
  /** 1 plus the number of branches, as in ESLint's rule `complexity`, without those of inner functions. */
  readonly complexity: number;
  /** The branches by kind, such as `if` and `&&`, the most frequent first. */
  readonly branches: readonly (readonly [kind: string, count: number])[];
}
