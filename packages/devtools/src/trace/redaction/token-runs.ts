import type { TextRange } from "./spelled-view.ts";

/** The length from which a run of letters, digits, `-` and `_` may be a token. */
const MIN_TOKEN = 40;
/** The shortest line of wrapped base64; the line after one belongs to it, however short. */
const MIN_LINE = 56;
const SAMPLE = 4096;
const [NEWLINE, RETURN, EQUALS] = [10, 13, 61];
const [OTHER, LOWER, UPPER, DIGIT, JOINER, BASE64] = [0, 1, 2, 3, 4, 5];

const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z]/.test(letter)) return LOWER;
  if (/[A-Z]/.test(letter)) return UPPER;
  if (/\d/.test(letter)) return DIGIT;
  if (letter === "-" || letter === "_") return JOINER;
  return letter === "+" || letter === "/" ? BASE64 : OTHER;
});

function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] ?? OTHER;
}

/** Whether a unit may stand in base64 of either alphabet. */
export function isBase64Unit(text: string, at: number): boolean {
  return kindAt(text, at) !== OTHER;
}

/** Finds long runs of base64 or hexadecimal digits, which no prose has. */
export function findTokenRuns(text: string, add: (from: number, to: number) => void): void {
  for (let at = 0; at < text.length; at += 1) {
    if (kindAt(text, at) === OTHER) continue;
    const from = at;
    while (kindAt(text, at) !== OTHER) at += 1;
    if (at - from >= MIN_TOKEN) at = assess(text, { from, to: at }, add);
  }
}

/** @returns where the search goes on */
function assess(
  text: string,
  { from, to }: TextRange,
  add: (from: number, to: number) => void,
): number {
  if (looksRandom(text, { from, to })) {
    const end = endOfLines(text, { from, to });
    add(from, end);
    return end;
  }
  for (let at = from; at < to; at += 1) {
    if (kindAt(text, at) === BASE64) continue;
    const start = at;
    while (at < to && kindAt(text, at) !== BASE64) at += 1;
    if (at - start < MIN_TOKEN || isWords(text, { from: start, to: at })) continue;
    const end = at === to ? endOfLines(text, { from: start, to }) : at;
    add(start, end);
    if (end > to) return end;
  }
  return to;
}

/** Whether letter case and digits alternate more often than in names and paths. */
function looksRandom(text: string, { from, to }: TextRange): boolean {
  let [pairs, changes, last] = [0, 0, OTHER];
  for (let at = from; at < Math.min(to, from + SAMPLE); at += 1) {
    const kind = kindAt(text, at);
    const isLetter = kind === LOWER || kind === UPPER || kind === DIGIT;
    if (isLetter && last !== OTHER) {
      pairs += 1;
      if (kind !== last) changes += 1;
    }
    last = isLetter ? kind : OTHER;
  }
  return pairs >= MIN_TOKEN / 2 && changes / pairs > 0.3;
}

/** Whether it is words of one case with `-` and `_` between, as in names of files and constants. */
function isWords(text: string, { from, to }: TextRange): boolean {
  let [length, last] = [0, OTHER];
  for (let at = from; at < to; at += 1) {
    const kind = kindAt(text, at);
    if (kind === JOINER) length = 0;
    else if (kind === DIGIT || (last !== OTHER && kind !== last) || ++length > 15) return false;
    else last = kind;
  }
  return true;
}

/** The end of base64 that is padded, or wrapped into lines. */
function endOfLines(text: string, { from, to }: TextRange): number {
  let end = skip(text, to, EQUALS);
  let start = from;
  while (end - start >= MIN_LINE) {
    const next = skip(text, skip(text, end, RETURN), NEWLINE);
    let stop = next;
    while (kindAt(text, stop) !== OTHER) stop += 1;
    stop = skip(text, stop, EQUALS);
    const after = text.charCodeAt(stop);
    const isWhole = Number.isNaN(after) || after === NEWLINE || after === RETURN || after === 34;
    if (next === end || stop === next || !isWhole) break;
    [start, end] = [next, stop];
  }
  return end;
}

function skip(text: string, from: number, unit: number): number {
  let at = from;
  while (text.charCodeAt(at) === unit) at += 1;
  return at;
}
