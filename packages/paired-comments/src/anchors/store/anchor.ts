/** One end of a comment: a place in a unit of the outline. */
export interface Point {
  /** Index of the unit in the outline. */
  readonly unit: number;
  /** The unit's first line, its last line, or the line of a token inside. */
  readonly at: "start" | "end" | "inside";
  /** The unit's own first tokens, normalised. */
  readonly tokens: readonly string[];
  /** With `inside`: the tokens around the place. */
  readonly around?: Surroundings;
  /** Lines from there to the line that is meant: of a blank line, or one inside a long string. */
  readonly lines?: number;
}

export interface Surroundings {
  /** Position of the place's own token in `tokens`. */
  readonly index: number;
  readonly tokens: readonly string[];
  /** Position of that token among all of its unit's own: what tells equal surroundings apart. */
  readonly place?: number;
  /** How many of `tokens`, from that one on, are on its line; 1 where it is absent. */
  readonly onLine?: number;
  /** Are those of the units inside among `tokens`? The line has only brackets without them. */
  readonly isDeep?: boolean;
}

/** The text of a line as a W3C TextQuoteSelector has it: trimmed, with the lines before and after. */
export interface Quote {
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** What is kept of a comment's place. */
export interface Anchor {
  readonly start: Point;
  /** Of a comment on several lines: where it ends. */
  readonly end?: Point;
  readonly quote: Quote;
  /** Names of the declarations around it, the outermost first, itself last. */
  readonly scope: readonly string[];
  /** Node type of the unit that it is on. */
  readonly type: string;
  /** Hash of the unit that it is on. */
  readonly hash: string;
  /** Position of its outline in the document's `mergedOutlines`; absent for the document's own outline. */
  readonly outline?: number;
  /**
   * What `originOf` says of the source that it was made in; absent in older files. Git may merge markers line
   * by line, and so put anchors beside an outline that they are not about.
   */
  readonly origin?: string;
}

/** Of a source, by its hash, and lines in it: what git merges line by line has it of one side, or a conflict. */
export function originOf(hash: string, { line, endLine = line }: AnchoredRange): string {
  return `${hash}:${line}-${endLine}`;
}

interface AnchoredRange {
  readonly line: number;
  readonly endLine?: number | undefined;
}

/** The anchor of an orphan: its unit is in no outline any more. */
export function detached(anchor: Anchor): Anchor {
  const { end: _, outline: __, origin: ___, ...rest } = anchor;
  return { ...rest, start: { ...anchor.start, unit: -1 } };
}

export function isDetached({ start }: Anchor): boolean {
  return start.unit < 0;
}
