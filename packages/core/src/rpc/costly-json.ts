/** What is shorter is parsed before anybody notices. */
const MIN_LENGTH = 16_384;
/** No message of MCP comes near to either. */
const MAX_LEVELS = 200;
const MAX_VALUES = 50_000;

const [QUOTE, ESCAPE, COMMA, BRACKET, END_BRACKET, BRACE, END_BRACE] = [
  34, 92, 44, 91, 93, 123, 125,
];

/**
 * Whether to parse a text would hold the whole program up: megabytes of brackets take seconds, and
 * a long text in quotes takes none. Nothing is said of whether it is JSON.
 */
export function isCostly(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  let levels = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === END_BRACKET || unit === END_BRACE) levels--;
    else if (unit === COMMA) values++;
    else if (unit === BRACKET || unit === BRACE) {
      levels++;
      values++;
    }
    if (levels > MAX_LEVELS || values > MAX_VALUES) return true;
  }
  return false;
}

/** Where a text in quotes ends that begins here. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === ESCAPE) at++;
  }
  return text.length;
}
