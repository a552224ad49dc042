/** A part of a text; `to` is not included. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * One escape: `\u0061` with any number of backslashes, `\x61`, UTF-8 as `%C3%A4` (encoded once or more
 * often), `&#x61;`, `&#97;`, an escaped quote, slash or space, several backslashes, an invisible character.
 */
const ESCAPE =
  /\\+(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(["'/ ]))|%(?:25)*[\da-fA-F]{2}(?:%(?:25)*[89abAB][\da-fA-F]){0,3}|&#(?:x0*([\da-fA-F]{1,6})|0*(\d{1,7}));?|\\{2,}|[\p{Cc}\p{Cf}]/gu;
const ESCAPE_SIGN = /[\\%&\p{Cc}\p{Cf}]/u;
const LAYOUT: ReadonlySet<string> = new Set("\t\n\r");
/** Levels of escapes; each costs a pass. */
const MAX_PASSES = 12;

/** Where the pieces between escapes begin: in the decoded text, and in the text before. */
interface Pieces {
  readonly decoded: readonly number[];
  readonly before: readonly number[];
}

/** A text with its escapes decoded, at any depth, with the source position of each unit. */
export class DecodedText {
  /** The source text. */
  readonly source: string;
  readonly text: string;
  readonly #passes: Pieces[] = [];

  /** @param isOneLine line breaks and tabs are dropped as other control characters are */
  constructor(text: string, isOneLine = false) {
    this.source = text;
    let decoded = text;
    for (let pass = 0; pass < MAX_PASSES && ESCAPE_SIGN.test(decoded); pass += 1) {
      const [next, pieces] = decodeOnce(decoded, isOneLine);
      if (pieces.decoded.length === 0) break;
      decoded = next;
      this.#passes.push(pieces);
    }
    this.text = decoded;
  }

  /** The range of the source text for a range of the decoded text. */
  toSource({ from, to }: TextRange): TextRange {
    const place = (at: number): number =>
      this.#passes.reduceRight((now, pieces) => placeBefore(pieces, now), at);
    return { from: place(from), to: place(to) };
  }
}

function decodeOnce(text: string, isOneLine: boolean): readonly [string, Pieces] {
  const [decoded, before]: [number[], number[]] = [[], []];
  let [out, copied] = ["", 0];
  const add = (outAt: number, at: number): void => {
    decoded.push(outAt);
    before.push(at);
  };
  for (const match of text.matchAll(ESCAPE)) {
    const { index, 0: written } = match;
    const meant = !isOneLine && LAYOUT.has(written) ? written : decode(match);
    if (meant === written) continue;
    out += text.slice(copied, index);
    if (meant !== "") add(out.length, index);
    out += meant;
    copied = index + written.length;
    add(out.length, copied);
  }
  return [out + text.slice(copied), { decoded, before }];
}

function decode([written, unit, byte, sign, hex, decimal]: RegExpExecArray): string {
  if (sign !== undefined) return sign;
  if (written.startsWith("%")) return decodePercent(written);
  if (unit !== undefined || byte !== undefined)
    return String.fromCharCode(Number.parseInt(unit ?? byte ?? "", 16));
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (Number.isNaN(code)) return written.startsWith("\\") ? "\\" : "";
  return code > 0x10ffff ? written : String.fromCodePoint(code);
}

/** As UTF-8; bytes that are not become one unit each. */
function decodePercent(written: string): string {
  const bytes = written.match(/[\da-f]{2}(?=%|$)/gi) ?? [];
  try {
    return decodeURIComponent(`%${bytes.join("%")}`);
  } catch {
    return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
  }
}

function placeBefore({ decoded, before }: Pieces, at: number): number {
  let [low, high] = [0, decoded.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((decoded[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low === 0 ? at : (before[low - 1] ?? 0) + at - (decoded[low - 1] ?? 0);
}

/** The source with ranges of the decoded text replaced; of several that overlap, the longest is replaced for all. */
export function replaceRanges<Range extends TextRange>(
  decoded: DecodedText,
  ranges: readonly Range[],
  replacement: (value: string, range: Range) => string,
): string {
  let [out, copied] = ["", 0];
  for (const range of mergeRanges(ranges)) {
    const { from, to } = decoded.toSource(range);
    const value = decoded.text.slice(range.from, range.to);
    out += decoded.source.slice(copied, from) + replacement(value, range);
    copied = to;
  }
  return out + decoded.source.slice(copied);
}

function mergeRanges<Range extends TextRange>(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const next of [...ranges].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1);
    if (last === undefined || next.from >= last.to) merged.push(next);
    else {
      const longer = next.to - next.from > last.to - last.from ? next : last;
      merged[merged.length - 1] = { ...longer, from: last.from, to: Math.max(last.to, next.to) };
    }
  }
  return merged;
}
