import type { Position, Range } from "./position.ts";

/**
 * The place of one offset: for more than a few of one text, {@link TextLines} finds them faster.
 * A line ends with `\n`, and a `\r` before it counts as a character.
 */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: before.length - before.lastIndexOf("\n") - 1 };
}

/**
 * Where the lines of a text are, in UTF-16 units: `\n` and `\r\n` end one, and belong to no line's
 * characters; a lone `\r` is a character.
 */
export class TextLines {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  /** The index of the last line. */
  get lastLine(): number {
    return this.#starts.length - 1;
  }

  /** How long a line is without its end; 0 for a line that does not exist. */
  lengthOf(line: number): number {
    const start = this.#starts[line];
    if (start === undefined) return 0;
    const next = this.#starts[line + 1];
    if (next === undefined) return this.text.length - start;
    const isCrlf = next - 2 >= start && this.text[next - 2] === "\r";
    return next - start - (isCrlf ? 2 : 1);
  }

  /** The place of an offset; one before the start or after the end of the text is moved there. */
  positionAt(offset: number): Position {
    const wanted = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = this.lastLine;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    const character = wanted - (this.#starts[low] ?? 0);
    return { line: low, character: Math.min(character, this.lengthOf(low)) };
  }

  /** The range between two offsets. */
  rangeOf(startOffset: number, endOffset: number): Range {
    return { start: this.positionAt(startOffset), end: this.positionAt(endOffset) };
  }

  /** The offset of a place; one outside of the text is moved to the nearest inside. */
  offsetAt(position: Position): number {
    const { line, character } = this.#clamp(position);
    return (this.#starts[line] ?? 0) + character;
  }

  /** The text of a range, as far as it exists. */
  slice(range: Range): string {
    return this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  /** The part of a range that the text has. */
  clamp(range: Range): Range {
    return { start: this.#clamp(range.start), end: this.#clamp(range.end) };
  }

  #clamp({ line, character }: Position): Position {
    if (line > this.lastLine) {
      return { line: this.lastLine, character: this.lengthOf(this.lastLine) };
    }
    return { line, character: Math.min(character, this.lengthOf(line)) };
  }
}
