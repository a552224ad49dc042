/** One line of a text, read column by column: a tab reaches to the next multiple of four. */
export class LineScanner {
  readonly text: string;
  /** The offset where the line ends, before its line end. */
  readonly end: number;
  #position: number;
  #column = 0;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.#position = start;
    this.end = end;
  }

  /** The offset of the first character that is no white space, or `end`. */
  get contentStart(): number {
    let at = this.#position;
    while (at < this.end && isSpace(this.text[at])) at++;
    return at;
  }

  get isBlank(): boolean {
    return this.contentStart === this.end;
  }

  /** From the first character that is no white space. */
  get rest(): string {
    return this.text.slice(this.contentStart, this.end);
  }

  /** How many columns of white space are next. */
  get indent(): number {
    let column = this.#column;
    for (let at = this.#position; at < this.end && isSpace(this.text[at]); at++) {
      column += this.#widthAt(at, column);
    }
    return column - this.#column;
  }

  /** Goes over the white space and so many characters. */
  skip(characters: number): void {
    const indent = this.indent;
    this.#position = this.contentStart + characters;
    this.#column += indent + characters;
  }

  /** Goes over so many columns of white space; a tab may be left half read. */
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
