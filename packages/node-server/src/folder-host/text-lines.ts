import { type Position, type Range, ToolFailure } from "@idewire/core";

/** Where the lines of a text are: `\n` and `\r\n` end one, and belong to no line's characters. */
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

  get lastLine(): number {
    return this.#starts.length - 1;
  }

  /** In UTF-16 units, without the line end; 0 for a line that is not there. */
  lengthOf(line: number): number {
    const start = this.#starts[line];
    if (start === undefined) return 0;
    const next = this.#starts[line + 1];
    if (next === undefined) return this.text.length - start;
    const isCrlf = next - 2 >= start && this.text[next - 2] === "\r";
    return next - start - (isCrlf ? 2 : 1);
  }

  /** What is before the start or after the end of the text is moved there. */
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

  rangeOf(startOffset: number, endOffset: number): Range {
    return { start: this.positionAt(startOffset), end: this.positionAt(endOffset) };
  }

  offsetAt(position: Position): number {
    const { line, character } = this.#clamp(position);
    return (this.#starts[line] ?? 0) + character;
  }

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

/**
 * Refuses what is a range of no text.
 * @throws ToolFailure
 */
export function checkRange({ start, end }: Range): void {
  for (const { line, character } of [start, end]) {
    checkNumber("line", line);
    checkNumber("character", character);
  }
  if (start.line > end.line || (start.line === end.line && start.character > end.character)) {
    const from = `${start.line}:${start.character}`;
    throw new ToolFailure(
      `the range starts at ${from}, after its end ${end.line}:${end.character}`,
    );
  }
}

/**
 * Refuses what is not in this text.
 * @throws ToolFailure
 */
export function checkRangeIn(lines: TextLines, range: Range): void {
  checkRange(range);
  for (const { line, character } of [range.start, range.end]) {
    if (line > lines.lastLine) {
      throw new ToolFailure(`line ${line} is outside 0–${lines.lastLine}`);
    }
    const length = lines.lengthOf(line);
    if (character > length) {
      throw new ToolFailure(`character ${character} of line ${line} is outside 0–${length}`);
    }
  }
}

function checkNumber(what: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new ToolFailure(`${what} ${value} is not a whole number from 0 on`);
}
