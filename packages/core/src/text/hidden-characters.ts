import { isInnocent, lengthOfFlag } from "./innocent-characters.ts";

/** A character that is invisible to readers, or that they would mistake for another. */
export interface HiddenCharacter {
  /** The UTF-16 offset of its first unit. */
  readonly start: number;
  /** The UTF-16 offset after its last unit. */
  readonly end: number;
  readonly codePoint: number;
}

/** Text of only these characters, as nearly all text is, has no hidden ones. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * Characters that may be hidden: default ignorable code points, directional and other controls, spaces
 * that look like U+0020, line and paragraph separators, lone surrogates, noncharacters, and those with
 * an empty glyph: Braille blank, object replacement, Egyptian blanks, the Khitan filler, the null
 * notehead.
 */
const SUSPECT =
  /[^\P{Cc}\t\n]|[^\P{Z} ]|\u{16fe4}|[\u2800\ufffc\u{13441}\u{13442}\u{1d159}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\p{Cs}\p{Noncharacter_Code_Point}]/u;

const SUSPICIOUS = 1;
const HARMLESS = 2;
/** The result of {@link SUSPECT} for each code point, so that megabytes take only milliseconds. */
let answers: Uint8Array | undefined;

function isSuspect(codePoint: number): boolean {
  answers ??= new Uint8Array(0x110000);
  answers[codePoint] ||= SUSPECT.test(String.fromCodePoint(codePoint)) ? SUSPICIOUS : HARMLESS;
  return answers[codePoint] === SUSPICIOUS;
}

/**
 * Finds the characters of a text that must be shown escaped wherever a person decides by its appearance.
 * Excludes tabs, line ends, emoji, and joiners and selectors where a script needs them; includes no-break
 * spaces, which look like spaces. Linear, and lazy.
 */
export function* findHidden(text: string): Generator<HiddenCharacter, void, undefined> {
  if (PLAIN.test(text)) return;
  let hiddenTo = -1;
  let end = 0;
  for (let start = 0; start < text.length; start = end) {
    const codePoint = text.codePointAt(start) ?? 0;
    end = start + (codePoint > 0xffff ? 2 : 1);
    if (!isSuspect(codePoint)) continue;
    const flag = lengthOfFlag(text, start, codePoint);
    if (flag > 0) end = start + flag;
    // A joiner or selector directly after a hidden character has no character to act on.
    else if (start === hiddenTo || !isInnocent(text, start, codePoint)) {
      yield { start, end, codePoint };
      hiddenTo = end;
    }
  }
}

/**
 * The text with hidden characters made visible: C0 controls as pictures (ESC is ␛), others as
 * `\u202e`.
 */
export function showHidden(text: string): string {
  let shown = "";
  let done = 0;
  for (const { start, end, codePoint } of findHidden(text)) {
    shown += text.slice(done, start) + labelOfHidden(codePoint);
    done = end;
  }
  return done === 0 ? text : shown + text.slice(done);
}

/**
 * Like {@link showHidden} for text within a line, such as a name: also shows tabs and line ends.
 */
export function showHiddenInLine(text: string): string {
  return showHidden(text).replace(/[\t\n\r]/g, (end) => labelOfHidden(end.charCodeAt(0)));
}

/**
 * The visible form of a hidden character: ␛ for a C0 control, otherwise `\u202e` or `\u{e0041}`.
 */
export function labelOfHidden(codePoint: number): string {
  if (codePoint < 0x20) return String.fromCharCode(0x2400 + codePoint);
  if (codePoint === 0x7f) return "␡";
  const hex = codePoint.toString(16).padStart(4, "0");
  return codePoint > 0xffff ? `\\u{${hex}}` : `\\u${hex}`;
}
