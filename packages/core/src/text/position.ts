/** A place in a text: both 0-based, the character counted in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** From `start` up to, not including, `end`; empty when they are equal. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}
