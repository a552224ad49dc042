/**
 * Text that may go to the terminal as it is: what came from outside was made visible, and the only
 * escape sequences in it are our own colours.
 */
export class Printable {
  readonly text: string;

  /** For {@link line} and the palette alone. */
  constructor(text: string) {
    this.text = text;
  }
}

/** What can be put into a line; strings are from outside and are made visible. */
export type Inline = Printable | string | number;

/** Makes one line: the template is ours, its values need not be. */
export function line(template: TemplateStringsArray, ...values: readonly Inline[]): Printable {
  const pieces = template.map((piece, index) => {
    const value = values[index];
    return value === undefined ? piece : piece + toText(value);
  });
  return new Printable(pieces.join(""));
}

/** Puts lines together to one. */
export function join(parts: readonly Inline[], between = ""): Printable {
  return new Printable(parts.map(toText).join(between));
}

/** The characters that go to the terminal for one value. */
export function toText(value: Inline): string {
  return value instanceof Printable ? value.text : visible(String(value));
}

const CONTROLS = /\p{Cc}/gu;
// Joiners belong to many scripts and to emoji; after plain letters they only hide.
const HIDDEN = /(?<!\P{ASCII})[\u200c\u200d]|(?![\u200c\u200d])[\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * Shows what a terminal would obey or hide: control characters as their pictures (ESC is ␛),
 * directional marks, invisible characters and halves of surrogate pairs as their numbers.
 */
export function visible(text: string): string {
  return text.replace(CONTROLS, controlPicture).replace(HIDDEN, codeOf);
}

function controlPicture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : codeOf(character);
}

function codeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
}

/** Cuts a text to so many UTF-16 units, its middle first: both ends of a path say something. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = wholeCut(text, Math.ceil((length - 1) / 2));
  const tail = wholeCut(text, text.length - (length - 1 - head), 1);
  return `${text.slice(0, head)}…${text.slice(tail)}`;
}

/** The index itself, or the one beside it where it would halve a surrogate pair. */
export function wholeCut(text: string, index: number, step: -1 | 1 = -1): number {
  const halves = /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(index - 1, index + 1));
  return halves ? index + step : index;
}
