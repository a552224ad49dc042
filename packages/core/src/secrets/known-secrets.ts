import { toBase64 } from "../text/base64.ts";
import { DecodedText, replaceRanges, type TextRange } from "./decoded-text.ts";

/** Shorter texts are likely to be ordinary words. */
const MIN_LENGTH = 8;

/**
 * A function that replaces secrets in any JSON value: in strings and names of members, literally, escaped, and
 * within base64. Linear in the value's size.
 */
export function redactKnown(
  secrets: Iterable<string>,
  { by = "…", minLength = MIN_LENGTH }: { readonly by?: string; readonly minLength?: number } = {},
): <T>(value: T) => T {
  const spellings = [...secrets]
    .flatMap((secret) => spellingsOf(secret, minLength))
    // One may be a part of another.
    .sort((one, other) => other.length - one.length);
  const redact = (text: string): string => {
    const decoded = new DecodedText(text, true);
    const found = findSpellings(decoded.text, spellings);
    return replaceRanges(decoded, found, () => by);
  };
  const replace = (value: unknown): unknown => {
    if (typeof value === "string") return redact(value);
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [redact(key), replace(part)]),
    );
  };
  return <T>(value: T) => (spellings.length === 0 ? value : (replace(value) as T));
}

/** The forms of a secret in a decoded text: literal, and the part of base64 that it determines. */
export function spellingsOf(secret: string, minLength: number = MIN_LENGTH): readonly string[] {
  const plain = new DecodedText(secret, true).text;
  if (plain.length < minLength) return [];
  if (plain.length < MIN_LENGTH) return [plain];
  const encoded = [0, 1, 2].map((before) => base64Of(secret, before));
  const inUrls = encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([plain, ...encoded, ...inUrls])];
}

/** The base64 digits that a text determines when it follows this number of bytes. */
function base64Of(text: string, before: number): string {
  const bytes = new TextEncoder().encode(text);
  const encoded = toBase64(new Uint8Array([...new Uint8Array(before), ...bytes]));
  const bits = 8 * (before + bytes.length);
  return encoded.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
}

/** The ranges of a decoded text that are one of these texts, in order. */
export function findSpellings(text: string, spellings: readonly string[]): readonly TextRange[] {
  const found: TextRange[] = [];
  for (const spelling of spellings) {
    for (let at = text.indexOf(spelling); at !== -1; ) {
      const to = at + spelling.length;
      found.push({ from: at, to });
      at = text.indexOf(spelling, to);
    }
  }
  return found;
}
