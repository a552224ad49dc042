import type { Token } from "./token.ts";

/** The unit type of docstrings, as in Python. */
export const docstring = "docstring";

/**
 * A declaration, statement, object entry or comment: the structure that lines of a source belong to. Units of an
 * old source have no tokens unless they have comments.
 */
export interface UnitShape {
  /** Position in the source's list of units, parents before children. */
  readonly index: number;
  /** Node type of the grammar; `line` in plain text, `comment` in all languages, `docstring` in some. */
  readonly type: string;
  /** The declared name, such as `validate` or `exports.run`; undefined for most statements. */
  readonly name: string | undefined;
  /** Number of counting tokens, including those of inner units. */
  readonly size: number;
  /** Hash of all counting tokens except its own name: unchanged when the declaration is renamed. */
  readonly hash: string;
  /** The same without inner units and tokens beside its head, such as annotations; empty if there are neither. */
  readonly head: string;
}

/** A unit of a current source, with its tokens. */
export interface Unit extends UnitShape {
  readonly parent: Unit | undefined;
  readonly children: readonly Unit[];
  /** Its own tokens, without those of inner units. */
  readonly tokens: readonly Token[];
  readonly first: Token | undefined;
  readonly last: Token | undefined;
}

/** The tokens of a unit and its inner units, without comments, in source order. */
export function tokensInside({ tokens, children }: Unit): readonly Token[] {
  const code = children.filter(({ type }) => type !== "comment");
  if (code.length === 0) return tokens;
  return [...tokens, ...code.flatMap(tokensInside)].sort((a, b) => a.start - b.start);
}

/** A source, cut into units. */
export interface UnitTree {
  /** Language id of the grammar, `text` for lines as units, or `lines` for a text that is too long for units. */
  readonly language: string;
  /** The whole file, unnamed, then all others, parents first. */
  readonly units: readonly Unit[];
  /** In source order. */
  readonly tokens: readonly Token[];
  readonly lines: readonly string[];
  /** Hash of the unmodified text. */
  readonly hash: string;
}
