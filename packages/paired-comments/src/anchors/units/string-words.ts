import { contentOf, type LeafTraits, unescaped } from "./string-content.ts";
import { isDirective, normalise, ofString } from "./token.ts";

/** Longer strings are data rather than prose. */
const longestText = 20_000;
/** Blanks, or a word. */
const parts: RegExp = /((?:\\[nrt]|\s)+)|((?:\\(?:\r\n|[^nrt])|[^\s\\])+)/g;

/** A word of a string: its offsets in the string, and its normalised text. */
interface WordOfString {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Blanks between words of a string, as they count: not a single space, nor a line end with its indentation. */
function blanksOf(run: string, isRaw: boolean): string {
  const text = unescaped(run, isRaw);
  return text === " " || /[\r\n]/.test(run) ? "" : text;
}

/**
 * The words of a string between its quotes, which become words without text; undefined for a leaf without
 * spaces. A word begins with the blanks before it, unless a formatter may change these.
 */
export function wordsOfString(
  raw: string,
  traits?: LeafTraits,
): readonly WordOfString[] | undefined {
  if (raw.length > longestText || !/\s|\\[nrt]/.test(raw)) return undefined;
  const found = contentOf(raw, traits);
  if (found === undefined) return isDirective(raw) ? undefined : wordsOfProse(raw);
  const { content, from: first, isRaw } = found;
  if (/^(?:\s|\\[nrt])*$/.test(content)) return undefined;
  const end = first + content.length;
  const words: WordOfString[] = first === 0 ? [] : [{ from: 0, to: first, text: "" }];
  let blanks = "";
  for (const match of content.matchAll(parts)) {
    const [part, run] = match;
    const from = first + match.index;
    if (run === undefined) {
      const text = ofString(blanks + unescaped(part, isRaw));
      words.push({ from, to: from + part.length, text });
      blanks = "";
    } else {
      const isAtEnd = match.index === 0 || from + part.length === end;
      blanks = run === " " && isAtEnd ? " " : blanksOf(run, isRaw);
    }
  }
  if (blanks !== "") words.push({ from: end, to: end, text: blanks });
  if (end < raw.length) words.push({ from: end, to: raw.length, text: "" });
  return words;
}

function wordsOfProse(raw: string): readonly WordOfString[] {
  return [...raw.matchAll(parts)].flatMap(({ index: from, 0: part, 2: word }) =>
    word === undefined ? [] : [{ from, to: from + part.length, text: normalise(word) }],
  );
}
