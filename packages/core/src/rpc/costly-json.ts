import { BACKSLASH, CLOSING_BRACE, COMMA, OPENING_BRACE, QUOTE } from "./unit-code.ts";

/** Limits of one JSON text. */
export interface JsonLimits {
  /** How many commas and opening brackets; 50,000 by default. */
  readonly maxValues?: number;
  /** How deeply brackets may be nested; 200 by default. */
  readonly maxDepth?: number;
}

/**
 * For the end that sends the requests: an answer may be as long as a list of 500 tools with large
 * schemas, or all diagnostics of a workspace.
 */
export const answerLimits: JsonLimits = { maxValues: 250_000 };

/** Parsing a shorter text takes no noticeable time. */
const MIN_LENGTH = 16_384;
// No request comes close to either.
export const MAX_DEPTH = 200;
export const MAX_VALUES = 50_000;

/**
 * Whether parsing a text would block the program noticeably: megabytes of brackets take seconds, a long
 * string literal does not. Does not check whether the text is JSON.
 */
export function isCostly(
  text: string,
  { maxValues = MAX_VALUES, maxDepth = MAX_DEPTH }: JsonLimits = {},
): boolean {
  if (text.length < MIN_LENGTH) return false;
  const endOf = literalEnds(text);
  let levels = 0;
  let values = 0;
  let quoted = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      // A member of an object has two strings at most.
      if (++quoted > 2 * maxValues + 1) return true;
      at = endOf(at + 1);
    } else if (unit === COMMA) {
      if (++values > maxValues) return true;
    } else if ((unit | 32) === OPENING_BRACE) {
      if (++values > maxValues || ++levels > maxDepth) return true;
    } else if ((unit | 32) === CLOSING_BRACE && --levels < 0) {
      // A parser fails here.
      return false;
    }
  }
  return false;
}

/**
 * `JSON.parse` for untrusted text, which may begin with a byte order mark: some editors write one.
 * @throws SyntaxError like `JSON.parse`, and when {@link isCostly}
 */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  if (isCostly(text, limits)) {
    throw new SyntaxError("The text has too many values or is nested too deeply");
  }
  return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
}

/**
 * Finds where the string literals of a JSON text end: at a quote that follows no backslash, or an even
 * number of them.
 * @returns the offset of the quote that ends the literal whose first unit is at `start`; the text's length if
 * none does
 */
function literalEnds(text: string): (start: number) => number {
  const end = /[^\\](?:\\\\)*"/g;
  return (start) => {
    const quote = text.indexOf('"', start);
    if (quote === -1) return text.length;
    if (!isEscaped(text, quote)) return quote;
    // Where one quote is escaped, many are. A match may begin at this one.
    end.lastIndex = quote;
    return end.test(text) ? end.lastIndex - 1 : text.length;
  };
}

/** Whether an odd number of backslashes comes before `at`. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}
