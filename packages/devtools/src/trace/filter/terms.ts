import { type ParseResult, parsed, refused } from "@idewire/core";

/** How a value is compared. */
export type Comparison = ":" | ">" | ">=" | "<" | "<=";

/** A condition of a filter. */
export interface FilterTerm {
  readonly negated: boolean;
  /** Undefined for a search in the text of the frame. */
  readonly key?: string;
  readonly comparison: Comparison;
  /** One of these must match. */
  readonly values: readonly string[];
  /** The range of the term in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

/**
 * Splits a filter into its terms: `key:value`, `key:>500`, `-key:value`, `key:a,b`, `"text with
 * spaces"`. Keys are not checked here.
 */
export function splitTerms(text: string): ParseResult<readonly FilterTerm[]> {
  const terms: FilterTerm[] = [];
  let at = 0;
  while (at < text.length) {
    if (isSpace(text.charAt(at))) {
      at += 1;
      continue;
    }
    const end = endOfTerm(text, at);
    if (end === undefined) return refused(`the quote at column ${at + 1} has no end; add a "`);
    terms.push(readTerm(text.slice(at, end), at));
    at = end;
  }
  return parsed(terms);
}

function isSpace(char: string): boolean {
  return char === " " || char === "\t" || char === "\n";
}

function endOfTerm(text: string, from: number): number | undefined {
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (!quoted && isSpace(char)) return at;
  }
  return quoted ? undefined : text.length;
}

function readTerm(source: string, from: number): FilterTerm {
  const negated = source.length > 1 && (source.startsWith("-") || source.startsWith("!"));
  const body = negated ? source.slice(1) : source;
  const place = { negated, from, to: from + source.length };
  const keyed = /^([a-z]+):(>=|<=|>|<)?(.*)$/is.exec(body);
  if (keyed === null) return { ...place, comparison: ":", values: [unquote(body)] };
  const [, key = "", comparison = ":", rest = ""] = keyed;
  const values = splitValues(rest);
  return { ...place, key: key.toLowerCase(), comparison: comparison as Comparison, values };
}

function splitValues(text: string): string[] {
  const values: string[] = [];
  let quoted = false;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (text.charAt(at) === '"') quoted = !quoted;
    if (at < text.length && (quoted || text.charAt(at) !== ",")) continue;
    values.push(unquote(text.slice(start, at)));
    start = at + 1;
  }
  return values;
}

function unquote(text: string): string {
  return text.replaceAll('"', "");
}
