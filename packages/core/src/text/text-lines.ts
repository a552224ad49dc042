import type { Position, Range } from "./position.ts";

/** As in LSP, CommonMark and CodeMirror. */
const LINE_END = /\r\n?|\n/g;

const LF = 10;
const CR = 13;

/**
 * The position of an offset; for many offsets of one text, {@link TextLines} is faster. Lines end at
 * `\n`, `\r\n` and `\r`.
 */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  return { line: countLineEnds(before), character: before.length - start };
}

/** How many line ends a text, or a part of it, contains; a part that ends within `\r\n` has none there. */
export function countLineEnds(text: string, from = 0, to: number = text.length): number {
  let count = 0;
  // Not by an expression: the texts of all lines would be made, millions of them.
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) count += 1;
  }
  return count;
}

/**
 * Converts between offsets and positions of a text, in UTF-16 units. Lines end at `\n`, `\r\n` and `\r`,
 * which do not belong to the line.
 */
export class TextLines {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    const starts = [0];
    // After the last match, lastIndex is 0 again.
    while (LINE_END.test(text)) starts.push(LINE_END.lastIndex);
    this.#starts = starts;
  }

  /** The index of the last line. */
  get lastLine(): number {
    return this.#starts.length - 1;
  }

  /** The length of a line without its line end; 0 for a line that does not exist. */
  lengthOf(line: number): number {
    const start = this.#starts[line];
    if (start === undefined) return 0;
    const next = this.#starts[line + 1];
    if (next === undefined) return this.text.length - start;
    const isCrlf = next - 2 >= start && this.text.startsWith("\r\n", next - 2);
    return next - start - (isCrlf ? 2 : 1);
  }

  /** The position of an offset, which is clamped to the text. */
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

  /** The offset of a position, which is clamped to the text. */
  offsetAt(position: Position): number {
    const { line, character } = this.#clamp(position);
    return (this.#starts[line] ?? 0) + character;
  }

  /** The text of a range, which is clamped to the text. */
  slice(range: Range): string {
    return this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  /** The part of a range that is in the text. */
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
