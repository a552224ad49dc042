/** The result of a parser: the value, or a description of what is wrong with the input. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: string };

/** The result for valid input. */
export function parsed<T>(value: T): ParseResult<T> {
  return { ok: true, value };
}

/** The result for invalid input; the issue states the value seen and what was expected. */
export function refused(issue: string): ParseResult<never> {
  return { ok: false, issue };
}
