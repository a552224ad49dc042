const [BACKSLASH, PERCENT, QUOTE, APOSTROPHE, SLASH, SPACE, LOWER_U, LOWER_X] = [
  92, 37, 34, 39, 47, 32, 117, 120,
];
/** Stands for a part that was handled by itself: no match extends across it. */
const MASK = 0;
/** Levels of escapes: each costs a pass. */
const MAX_PASSES = 12;

/** A range of a text; `to` is not included. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The part of a text to view. */
export interface ViewPart {
  readonly from: number;
  /** The most UTF-16 units of the text to view. */
  readonly maxUnits: number;
  /** Ranges shown as one unit, NUL; in order, without overlaps. */
  readonly masks: readonly TextRange[];
}

/**
 * A part of a text with its escapes decoded: those of JSON at any depth,
 * `%2F`, and `\x2f`. It maps each of its units to a place in the text.
 */
export class SpelledView {
  readonly text: string;
  /** Where the view ends in the text. */
  readonly end: number;
  readonly #starts: Uint32Array | undefined;
  readonly #from: number;

  private constructor(text: string, range: TextRange, starts?: Uint32Array) {
    this.text = text;
    this.#from = range.from;
    this.end = range.to;
    this.#starts = starts;
  }

  static of(text: string, { from, masks, ...part }: ViewPart): SpelledView {
    const maxUnits = Math.min(part.maxUnits, text.length - from);
    const next = firstMaskBehind(masks, from);
    const hasMask = (masks[next]?.from ?? text.length) < from + maxUnits;
    if (!hasMask) {
      const to = from + maxUnits;
      const part = text.slice(from, to);
      if (!part.includes("\\") && !part.includes("%")) return new SpelledView(part, { from, to });
    }
    const units = new Uint16Array(maxUnits);
    const starts = new Uint32Array(maxUnits + 1);
    let length = 0;
    let at = from;
    for (let mask = next; length < maxUnits && at < text.length; ) {
      const { from: start, to } = masks[mask] ?? { from: text.length, to: 0 };
      starts[length] = at;
      units[length++] = at >= start ? MASK : text.charCodeAt(at);
      if (at < start) at += 1;
      else {
        at = to;
        mask += 1;
      }
    }
    starts[length] = at;
    for (let pass = 0, before = -1; pass < MAX_PASSES && before !== length; pass += 1) {
      before = length;
      length = decodeOnce(units, starts, length);
    }
    return new SpelledView(toText(units, length), { from, to: at }, starts);
  }

  /** The place of a unit in the text; for the view's length, the end. */
  toText(at: number): number {
    if (at >= this.text.length) return this.end;
    return this.#starts?.[at] ?? this.#from + at;
  }
}

/** The index of the first mask that ends after a place; their number when none does. */
export function firstMaskBehind(masks: readonly TextRange[], at: number): number {
  let [low, high] = [0, masks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((masks[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A whole text with its escapes decoded, for comparison. */
export function readSpelling(text: string): string {
  return SpelledView.of(text, { from: 0, maxUnits: text.length, masks: [] }).text;
}

/** Decodes in place: a decoded text is never longer than its escapes. */
function decodeOnce(units: Uint16Array, starts: Uint32Array, length: number): number {
  let out = 0;
  for (let at = 0; at < length; ) {
    const unit = units[at] ?? 0;
    const start = starts[at] ?? 0;
    let next = at + 1;
    let code = unit;
    if (unit === BACKSLASH) {
      while (next < length && units[next] === BACKSLASH) next += 1;
      const sign = units[next] ?? 0;
      const digits = sign === LOWER_U ? 4 : sign === LOWER_X ? 2 : 0;
      const spelled =
        digits > 0 ? readHex(units, next + 1, Math.min(length, next + 1 + digits), digits) : -1;
      if (spelled !== -1) [code, next] = [spelled, next + 1 + digits];
      else if (isPlainAfterEscape(sign) && next < length) [code, next] = [sign, next + 1];
    } else if (unit === PERCENT) {
      [code, next] = readPercent(units, at, length);
    }
    starts[out] = start;
    if (code > 0xffff) {
      units[out++] = 0xd800 + ((code - 0x10000) >> 10);
      starts[out] = start;
      code = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    units[out++] = code;
    at = next;
  }
  starts[out] = starts[length] ?? 0;
  return out;
}

function isPlainAfterEscape(unit: number): boolean {
  return unit === SLASH || unit === QUOTE || unit === APOSTROPHE || unit === SPACE;
}

/** -1 when there are fewer digits. */
function readHex(units: Uint16Array, from: number, to: number, digits: number): number {
  if (to - from < digits) return -1;
  let value = 0;
  for (let at = from; at < from + digits; at += 1) {
    const unit = units[at] ?? 0;
    const lower = unit | 32;
    const digit =
      unit >= 48 && unit <= 57 ? unit - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1;
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** A percent-encoded character and the place after it; the percent sign itself when it encodes none. */
function readPercent(units: Uint16Array, at: number, length: number): [code: number, next: number] {
  const byteAt = (index: number): number => {
    const place = at + index * 3;
    return units[place] === PERCENT
      ? readHex(units, place + 1, Math.min(length, place + 3), 2)
      : -1;
  };
  const lead = byteAt(0);
  if (lead === -1) return [PERCENT, at + 1];
  const count = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc2 ? 1 : -1;
  let code = count <= 0 ? lead : lead & (0x3f >> count);
  for (let index = 1; index <= count; index += 1) {
    const byte = byteAt(index);
    if (byte === -1 || byte >> 6 !== 2) return [lead, at + 3];
    code = (code << 6) | (byte & 0x3f);
  }
  // Unicode ends there.
  return code > 0x10ffff ? [lead, at + 3] : [code, at + 3 * (Math.max(count, 0) + 1)];
}

function toText(units: Uint16Array, length: number): string {
  let text = "";
  for (let at = 0; at < length; at += 8192) {
    text += String.fromCharCode(...units.subarray(at, Math.min(length, at + 8192)));
  }
  return text;
}
