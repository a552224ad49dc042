/** A position in a text: 0-based line and character, counted in UTF-16 units, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The text from `start` up to, but not including, `end`; empty when they are equal. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}
