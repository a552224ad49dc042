/** How much one JSON text may hold. */
export interface JsonLimits {
  /** Commas and opening brackets; 50,000. */
  readonly maxValues?: number;
  /** Brackets in one another; 200. */
  readonly maxDepth?: number;
}

/**
 * For the end that asks: an answer may be long, as 500 tools with large schemas are, or all that is
 * wrong in a workspace.
 */
export const answerLimits: JsonLimits = { maxValues: 250_000 };

/** What is shorter is parsed before anybody notices. */
const MIN_LENGTH = 16_384;
/** No message that asks something comes near to either. */
const MAX_DEPTH = 200;
const MAX_VALUES = 50_000;

/** How far a string's end is looked for unit by unit: farther, a search is faster. */
const NEAR = 64;

const QUOTE = 34;
const ESCAPE = 92;

/**
 * Whether to parse a text would hold the whole program up: megabytes of brackets take seconds, and
 * a long text in quotes takes none. Nothing is said of whether it is JSON.
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
      // The parser stops here.
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
 * `JSON.parse` for what others have written.
 * @throws SyntaxError as it does, and for what {@link isCostly}
 */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  if (isCostly(text, limits)) {
    throw new SyntaxError("It has more values, or more levels, than anybody needs");
  }
  return JSON.parse(text);
}

/** Where a text in quotes ends whose first unit is at `start`. */
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

/** Whether an odd number of backslashes is before `at`; none that counts is before `start`. */
function isEscaped(text: string, start: number, at: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === ESCAPE) first--;
  return (at - first) % 2 === 1;
}
