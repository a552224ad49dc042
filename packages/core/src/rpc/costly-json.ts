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
const MAX_DEPTH = 200;
const MAX_VALUES = 50_000;

/** How many units of a string are scanned one by one before a regular expression takes over. */
const NEAR = 64;

const QUOTE = 34;
const ESCAPE = 92;

/**
 * Whether parsing a text would block the program noticeably: megabytes of brackets take seconds, a long
 * string literal does not. Does not check whether the text is JSON.
 */
export function isCostly(text: string, limits: JsonLimits = {}): boolean {
  if (text.length < MIN_LENGTH) return false;
  const { maxValues = MAX_VALUES, maxDepth = MAX_DEPTH } = limits;
  const tokens = /["[\]{},]/g;
  let levels = 0;
  let values = 0;
  let strings = 0;
  while (tokens.test(text)) {
    const token = text[tokens.lastIndex - 1];
    if (token === '"') {
      strings++;
      tokens.lastIndex = endOfString(text, tokens.lastIndex) + 1;
    } else if (token === "]" || token === "}") {
      // A parser fails here.
      if (--levels < 0) return false;
    } else {
      values++;
      if (token !== ",") levels++;
    }
    // A member of an object has two strings at most.
    if (levels > maxDepth || values > maxValues || strings > 2 * maxValues + 1) return true;
  }
  return false;
}

/**
 * `JSON.parse` for untrusted text.
 * @throws SyntaxError like `JSON.parse`, and when {@link isCostly}
 */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  if (isCostly(text, limits)) {
    throw new SyntaxError("The text has too many values or is nested too deeply");
  }
  return JSON.parse(text);
}

/** The offset of the quote that ends a string literal whose first unit is at `start`. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start);
  if (quote === -1) return text.length;
  if (!isEscaped(text, start, quote)) return quote;
  const ends = /[^\\]"|\\\\"/g;
  for (let at = quote + 1; ; at = quote + 1) {
    for (const near = at + NEAR; at <= near; at++) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) return at;
      if (unit === ESCAPE) at++;
    }
    if (text.charCodeAt(at) === QUOTE) return at;
    ends.lastIndex = at;
    if (!ends.test(text)) return text.length;
    quote = ends.lastIndex - 1;
    if (!isEscaped(text, at, quote)) return quote;
  }
}

/** Whether an odd number of backslashes precedes `at`, counting from `start`. */
function isEscaped(text: string, start: number, at: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === ESCAPE) first--;
  return (at - first) % 2 === 1;
}
