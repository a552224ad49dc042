import type { Token } from "./token.ts";

/** The type of a string that describes what it is in, such as Python has. */
export const docstring = "docstring";

/**
 * A declaration, a statement, an entry of an object, a comment: what lines of a source belong to. Of a
 * source that was, all is known but the tokens of the units without comments.
 */
export interface UnitShape {
  /** Position in the source's list of units, parents before children. */
  readonly index: number;
  /** Node type of the grammar; `line` in plain text, `comment` in all languages, `docstring` in some. */
  readonly type: string;
  /** What it declares, such as `validate` or `exports.run`; undefined for most statements. */
  readonly name: string | undefined;
  /** Tokens that count, in it and in the units inside. */
  readonly size: number;
  /** Of all tokens that count, but for its own name: renamed declarations keep it. */
  readonly hash: string;
  /** The same of the tokens outside the units inside; empty when there are none. */
  readonly head: string;
}

/** A unit of a source at hand. */
export interface Unit extends UnitShape {
  readonly parent: Unit | undefined;
  readonly children: readonly Unit[];
  /** Its own tokens, without those of the units inside. */
  readonly tokens: readonly Token[];
  readonly first: Token | undefined;
  readonly last: Token | undefined;
}

/** The tokens of a unit and of those inside, without comments, in the order of the source. */
export function tokensInside({ tokens, children }: Unit): readonly Token[] {
  const code = children.filter(({ type }) => type !== "comment");
  if (code.length === 0) return tokens;
  return [...tokens, ...code.flatMap(tokensInside)].sort((a, b) => a.start - b.start);
}

/** A source, cut into units. */
export interface UnitTree {
  /** The language of its grammar, `text`, or `lines` of a text that is too long to be cut. */
  readonly language: string;
  /** The whole file is one unit, without a name; then all others, parents first. */
  readonly units: readonly Unit[];
  /** In the order of the source. */
  readonly tokens: readonly Token[];
  readonly lines: readonly string[];
  /** Of the text as it is: two sources with the same are the same. */
  readonly hash: string;
}
