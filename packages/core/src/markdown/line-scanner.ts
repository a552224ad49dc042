/** Reads a line column by column; a tab extends to the next multiple of four. */
export class LineScanner {
  readonly text: string;
  /** The offset before the line end. */
  readonly end: number;
  #position: number;
  #column = 0;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.#position = start;
    this.end = end;
  }

  /** The offset of the first character other than white space, or `end`. */
  get contentStart(): number {
    let at = this.#position;
    while (at < this.end && isSpace(this.text[at])) at++;
    return at;
  }

  get isBlank(): boolean {
    return this.contentStart === this.end;
  }

  /** The rest of the line, from `contentStart`. */
  get rest(): string {
    return this.text.slice(this.contentStart, this.end);
  }

  /** The number of columns of white space before `contentStart`. */
  get indent(): number {
    let column = this.#column;
    for (let at = this.#position; at < this.end && isSpace(this.text[at]); at++) {
      column += this.#widthAt(at, column);
    }
    return column - this.#column;
  }

  /** Skips white space and then a number of characters. */
  skip(characters: number): void {
    const indent = this.indent;
    this.#position = this.contentStart + characters;
    this.#column += indent + characters;
  }

  /** Skips a number of columns of white space, possibly only part of a tab. */
  skipColumns(columns: number): void {
    const goal = this.#column + columns;
    while (this.#column < goal && this.#position < this.end) {
      const width = this.#widthAt(this.#position, this.#column);
      if (this.#column + width > goal) break;
      this.#column += width;
      this.#position++;
    }
    this.#column = Math.max(this.#column, goal);
  }

  #widthAt(position: number, column: number): number {
    return this.text[position] === "\t" ? 4 - (column % 4) : 1;
  }
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
