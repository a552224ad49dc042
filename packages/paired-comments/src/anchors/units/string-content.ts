/** How a leaf of a syntax tree is to be read. */
export interface LeafTraits {
  /** Is it between the quotes of a string, without these? */
  readonly isInString?: boolean;
  /** The quote of strings without escapes and without a prefix. */
  readonly rawQuote?: string | undefined;
}

/** The part of a leaf that is text of a string. */
interface Content {
  readonly content: string;
  /** Its offset. */
  readonly from: number;
  /** Do backslashes begin no escapes? */
  readonly isRaw: boolean;
}

const stringLiteral: RegExp = /^(?:[A-Za-z@$8]{0,3}#*|:)("""|'''|["'`])([\s\S]*)\1#*$/;
/** A string of Ruby between any signs, such as `%q(a b)`. */
const percentLiteral: RegExp = /^%[A-Za-z]?[^\w\s]([\s\S]*)[^\w\s]$/;
const rawLiteral: RegExp = /^[A-Za-z$]*[rR@]/;

/** The text of a string between its quotes; undefined for other leaves. */
export function contentOf(
  raw: string,
  { isInString, rawQuote }: LeafTraits = {},
): Content | undefined {
  if (isInString) return { content: raw, from: 0, isRaw: false };
  const [whole, quote = "", content = ""] = stringLiteral.exec(raw) ?? [];
  if (whole !== undefined) {
    const from = raw.indexOf(quote) + quote.length;
    const isRaw = (from === quote.length && quote === rawQuote) || rawLiteral.test(raw);
    return { content, from, isRaw };
  }
  const [, inside] = percentLiteral.exec(raw) ?? [];
  return inside === undefined
    ? undefined
    : { content: inside, from: raw.length - inside.length - 1, isRaw: false };
}

const escaped: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** The same text may be written with escapes, as a raw string, or over several lines. */
export function unescaped(content: string, isRaw: boolean): string {
  if (isRaw) return content.replace(/\\|\$|#(?=\{)/g, "\\$&");
  return content.replace(/\\(\r\n|[\s\S])/g, (whole, char: string) => {
    if (/["'`]/.test(char)) return char;
    return /[\r\n]/.test(char) ? "" : (escaped[char] ?? whole);
  });
}
