import type { Findings } from "./findings.ts";
import { endsWithSecretKey, isSecretHeader, isSecretKey, secretStart } from "./secret-keys.ts";
import type { TextRange } from "./spelled-view.ts";

/** A text to be cleaned. */
export interface MaskedText {
  readonly text: string;
  /** The parts that were handled by themselves. */
  readonly masks: readonly TextRange[];
}

/** How many UTF-16 units are searched between pauses. */
const PAUSE_UNITS = 1 << 16;
const TEXT_KEYS = new Set(["text", "new_file_contents", "content", "original", "proposed"]);
const CUT_TEXT = /^\(\d{1,12} characters\)$/;

/** The redacted value of a key; undefined when the key does not call for redaction. */
export function cleanMember(key: string, value: string, findings: Findings): string | undefined {
  const isText = TEXT_KEYS.has(key);
  return cleanByRole({ isText, isSecret: isSecretKey(key) }, value, findings);
}

function cutText(value: string, { standIn }: Findings): string {
  return CUT_TEXT.test(value) ? value : standIn("text", value);
}

function cleanSecret(value: string, { standIn }: Findings): string | undefined {
  const start = secretStart(value);
  if (start === undefined) return undefined;
  return value.slice(0, start) + standIn("token", value.slice(start));
}

/** What precedes a quoted string. */
interface QuoteContext {
  /** The quoted string before, and where it ends. */
  before: string;
  end: number;
  /** In a list of secrets. */
  isListed: boolean;
  /** The string before is the name of a header that grants access. */
  isHeader: boolean;
}

/** Redacts each quoted string by its decoded text and its key. */
export function* cleanLiterals(
  text: string,
  findings: Findings,
  cleanInner: (text: string) => Generator<void, string>,
): Generator<void, MaskedText> {
  const out = new TextRewriter(text);
  let place: QuoteContext = { before: "", end: 0, isListed: false, isHeader: false };
  let backslash = -1;
  let pause = PAUSE_UNITS;
  for (let open = text.indexOf('"'); open !== -1; ) {
    if (open > pause) {
      yield;
      pause = open + PAUSE_UNITS;
    }
    if (text.charAt(open - 1) === "\\") {
      // An escaped quote whose string has no beginning: it is left to the view of escapes.
      open = text.indexOf('"', open + 1);
      continue;
    }
    const end = endOfLiteral(text, open);
    if (backslash < open) backslash = indexOrEnd(text, "\\", open);
    const isEscaped = backslash < end;
    const value = read(text, { from: open + 1, to: end }, isEscaped);
    if (value === undefined) {
      // Not a string: its end may be the beginning of one.
      open = end < text.length ? end : -1;
      continue;
    }
    const role = roleOf(text, open, { value, place });
    const inner = isEscaped ? () => cleanInner(value) : undefined;
    const cleaned = cleanByRole(role, value, findings) ?? (inner ? yield* inner() : value);
    if (cleaned !== value) {
      const spelt = JSON.stringify(cleaned);
      out.replace({ from: open, to: end + 1 }, end < text.length ? spelt : spelt.slice(0, -1));
    } else if (isEscaped) out.mask({ from: open, to: end + 1 });
    const { isListed, isHeader } = role;
    place = { isListed, isHeader, before: value, end: end + 1 };
    if (findings.tokens) cleanNumber(text, place, { out, findings });
    open = text.indexOf('"', end + 1);
  }
  return out.end();
}

interface QuoteRole {
  readonly isListed: boolean;
  readonly isHeader: boolean;
  readonly isSecret: boolean;
  readonly isText: boolean;
}

/** The role of a quoted string, by what precedes it. */
function roleOf(
  text: string,
  open: number,
  { value, place }: { readonly value: string; readonly place: QuoteContext },
): QuoteRole {
  const isNear = open - place.end < 2;
  const between = isNear ? text.charAt(open - 1) : text.slice(Math.max(place.end, open - 80), open);
  const signs = isNear ? between : between.replace(/\s/g, "");
  const isMember = signs === ":" || signs === ":[";
  const isNext = signs === ",";
  const { before } = place;
  const isOfSecret = isMember && isSecretKey(before);
  const isListed = (isOfSecret && between.includes("[")) || (isNext && place.isListed);
  const isHeader = isSecretHeader(value) || (place.isHeader && value === "value");
  const isOfHeader = place.isHeader && !isHeader && (isNext || (isMember && before === "value"));
  return {
    isListed,
    isHeader,
    isSecret: isOfSecret || isListed || isOfHeader || endsWithSecretKey(between),
    isText: isMember && !between.includes("[") && TEXT_KEYS.has(before),
  };
}

function cleanByRole(
  { isSecret, isText }: Pick<QuoteRole, "isSecret" | "isText">,
  value: string,
  findings: Findings,
): string | undefined {
  if (isText && findings.texts) return cutText(value, findings);
  return isSecret && findings.tokens ? cleanSecret(value, findings) : undefined;
}

/** A number may be a secret too; its stand-in is a string, so that JSON stays valid. */
function cleanNumber(
  text: string,
  place: QuoteContext,
  { out, findings }: { readonly out: TextRewriter; readonly findings: Findings },
): void {
  if (!isSecretKey(place.before)) return;
  const found = /^(\s{0,20}:\s{0,20})(-?\d{4,40})(?![\w.])/.exec(
    text.slice(place.end, place.end + 90),
  );
  if (found === null) return;
  const [, between = "", digits = ""] = found;
  const from = place.end + between.length;
  out.replace(
    { from, to: from + digits.length },
    JSON.stringify(findings.standIn("token", digits)),
  );
}

/** Builds a text with replacements, in order. */
class TextRewriter {
  readonly #text: string;
  readonly #masks: TextRange[] = [];
  #done = "";
  #copied = 0;

  constructor(text: string) {
    this.#text = text;
  }

  replace({ from, to }: TextRange, by: string): void {
    this.#done += this.#text.slice(this.#copied, from) + by;
    this.#masks.push({ from: this.#done.length - by.length, to: this.#done.length });
    this.#copied = to;
  }

  /** Keeps this part, which was handled by itself. */
  mask({ from, to }: TextRange): void {
    this.replace({ from, to }, this.#text.slice(from, to));
  }

  end(): MaskedText {
    if (this.#masks.length === 0) return { text: this.#text, masks: [] };
    return { text: this.#done + this.#text.slice(this.#copied), masks: this.#masks };
  }
}

/** The quote at the end; the text's length where it has none. */
function endOfLiteral(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first - 1 > open && text.charAt(first - 1) === "\\") first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

function indexOrEnd(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? text.length : at;
}

function read(text: string, { from, to }: TextRange, isEscaped: boolean): string | undefined {
  const value = text.slice(from, to);
  if (!isEscaped) return value.includes("\n") ? undefined : value;
  // A string without its end may be cut inside an escape.
  const whole = to < text.length ? value : value.replace(/\\(?:u[\da-f]{0,3})?$/i, "");
  try {
    return JSON.parse(`"${whole}"`) as string;
  } catch {
    return undefined;
  }
}
