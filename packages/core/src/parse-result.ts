/** What a parser gives back: the value, or in words what is wrong with the input. */
export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issue: string };

/** The result of a parser that understood its input. */
export function parsed<T>(value: T): ParseResult<T> {
  return { ok: true, value };
}

/** The result of a parser that did not: the issue says what was seen and what was expected. */
export function refused(issue: string): ParseResult<never> {
  return { ok: false, issue };
}
