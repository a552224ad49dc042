/** How a value is compared. */
export type Comparison = ":" | ">" | ">=" | "<" | "<=";

/** A condition of a filter. */
export interface FilterTerm {
  /** Undefined for a search in the text of the frame. */
  readonly key?: string;
  readonly comparison: Comparison;
  /** One of these must match. */
  readonly values: readonly string[];
  /** What was typed. */
  readonly source: string;
  /** The range of the term in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

/** Reads one term: `key:value`, `key:>500`, `key:a,b`, `"text with spaces"`. Keys are not checked here. */
export function readTerm(source: string, from: number): FilterTerm {
  const place = { source, from, to: from + source.length };
  const keyed = /^([a-z]+):(>=|<=|>|<)?(.*)$/is.exec(source);
  if (keyed === null) return { ...place, comparison: ":", values: [unquote(source)] };
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
