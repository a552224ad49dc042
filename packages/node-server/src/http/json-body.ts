/** The body of a request: what it says, and how many units of text that took. */
export interface JsonBody {
  readonly value: unknown;
  readonly size: number;
}
