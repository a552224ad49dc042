import { findHidden, labelOfHidden, showHiddenInLine } from "@idewire/core/internal/base";

/**
 * Text that is safe for the terminal: control characters of external text were made visible, and the only
 * escape sequences are our own colours.
 */
export class Printable {
  readonly text: string;
  /** The column at which wrapped rows start, if set. */
  readonly hang: number | undefined;

  /** For {@link line} and the palette only. */
  constructor(text: string, hang?: number) {
    this.text = text;
    this.hang = hang;
  }
}

/** A value of a line; control characters of strings are made visible. */
export type LineValue = Printable | string | number;

/** Creates a line from a trusted template and untrusted values. */
export function line(template: TemplateStringsArray, ...values: readonly LineValue[]): Printable {
  const chunks = template.map((piece, index) => {
    const value = values[index];
    return value === undefined ? piece : piece + toText(value);
  });
  return new Printable(chunks.join(""));
}

/** Joins lines to one. */
export function join(parts: readonly LineValue[], between = ""): Printable {
  return new Printable(parts.map(toText).join(between));
}

/** The characters of a value for the terminal. */
export function toText(value: LineValue): string {
  return value instanceof Printable ? value.text : visible(String(value));
}

/**
 * Makes control and hidden characters visible: control characters as their pictures (ESC is ␛); directional
 * marks, invisible characters and lone surrogates as their code points.
 */
export function visible(text: string): string {
  return showHiddenInLine(text);
}

/** Parts of one line: whether a character is hidden depends on its neighbours in the line. */
export function showChunks(chunks: readonly string[]): readonly Printable[] {
  const whole = chunks.join("");
  const hidden = [...findHidden(whole)];
  let end = 0;
  return chunks.map((piece) => {
    let done = end;
    end += piece.length;
    let shown = "";
    for (; hidden[0] !== undefined && hidden[0].start < end; hidden.shift()) {
      shown += whole.slice(done, hidden[0].start) + labelOfHidden(hidden[0].codePoint);
      done = hidden[0].end;
    }
    return new Printable(shown + whole.slice(done, end));
  });
}

/** Shortens a text in its middle to a number of UTF-16 units: both ends of a path are informative. */
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

/** A path below the home folder with `~` for that folder. */
export function tilde(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
