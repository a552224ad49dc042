/** A statement of a source that the tests must prove, unless it has a reason. */
export interface Statement {
  readonly id: string;
  /** Section and row of the source. */
  readonly source: string;
  readonly behaviour: string;
  /** Why no test cites it; absent where one must. */
  readonly reason: string | undefined;
}

/** Reads lines of `id | source | behaviour`, with `| reason` if no test here can prove it. */
export function parseStatements(table: string): readonly Statement[] {
  return table
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [id = "", source = "", behaviour = "", reason] = line.split("|").map((x) => x.trim());
      return { id, source, behaviour, reason };
    });
}
