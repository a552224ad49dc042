/** The start or end of a comment: a place in a unit of the outline. */
export interface Point {
  /** Index of the unit in the outline. */
  readonly unit: number;
  /** The unit's first line, its last line, or the line of a token inside. */
  readonly at: "start" | "end" | "inside";
  /** The unit's first own tokens, normalised. */
  readonly tokens: readonly string[];
  /** For `inside`: the tokens around the place. */
  readonly around?: Surroundings;
  /** Offset in lines to the commented line, if that is blank or inside a long string. */
  readonly lines?: number;
}

export interface Surroundings {
  /** Position of the place's own token in `tokens`. */
  readonly index: number;
  readonly tokens: readonly string[];
  /** Position of that token among all own tokens of its unit; distinguishes equal surroundings. */
  readonly place?: number;
  /** How many of `tokens`, from that one on, are on its line; 1 if absent. */
  readonly onLine?: number;
  /** Do `tokens` include those of inner units? Without these, the line has only brackets. */
  readonly isDeep?: boolean;
}

/** The text of a line as in a W3C TextQuoteSelector: trimmed, with the lines before and after. */
export interface Quote {
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** The stored place of a comment. */
export interface Anchor {
  readonly start: Point;
  /** The end of a multi-line comment. */
  readonly end?: Point;
  readonly quote: Quote;
  /** Names of the enclosing declarations, the outermost first, including the unit itself. */
  readonly scope: readonly string[];
  /** Node type of the commented unit. */
  readonly type: string;
  /** Hash of the commented unit. */
  readonly hash: string;
  /** Position of its outline in the document's `mergedOutlines`; absent for the document's own outline. */
  readonly outline?: number;
  /**
   * `originOf` the source that it was made in; absent in older files. A line-by-line merge by git may put anchors
   * beside an outline of another source.
   */
  readonly origin?: string;
}

/** Identifies a source, by its hash, and lines in it, in one text: git merges it as a whole or reports a conflict. */
export function originOf(hash: string, { line, endLine = line }: AnchoredRange): string {
  return `${hash}:${line}-${endLine}`;
}

interface AnchoredRange {
  readonly line: number;
  readonly endLine?: number | undefined;
}

/** The anchor of an orphan, whose unit is no longer in an outline. */
export function detached(anchor: Anchor): Anchor {
  const { end: _, outline: __, origin: ___, ...rest } = anchor;
  return { ...rest, start: { ...anchor.start, unit: -1 } };
}

export function isDetached({ start }: Anchor): boolean {
  return start.unit < 0;
}
