import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

/** A text for which an expression may be slow when its middle is repeated. */
export interface Attack {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

/** The characters tried for a set, besides those named by the expression. */
const PALETTE = ["a", "A", "1", " ", "\t", "\n", "-", "_", ".", "/", '"', "é", "漢", "\u0001"];
/** Ensures that the match fails at the end. */
const ENDS = ["\u0001", "", "\n\u0001"];
const MAX_WORDS = 4;

/**
 * Texts that may cause slow backtracking: for each unbounded repetition, its prefix once and its content many
 * times, and both together many times, since a search restarts at each of them.
 */
export function attacksOn(pattern: string, flags: string): readonly Attack[] {
  const words = new Words(pattern, flags);
  const attacks = new Map<string, Attack>();
  const add = (start: string, middle: string) => {
    if (middle === "") return;
    for (const end of ENDS)
      attacks.set(JSON.stringify([start, middle, end]), { start, middle, end });
  };
  for (const loop of words.endlessLoops) {
    const starts = words.before(loop);
    for (const middle of words.pumps(loop)) {
      for (const start of starts) {
        add(start, middle);
        add("", start + middle);
      }
    }
    for (const start of starts) add("", start);
  }
  return [...attacks.values()];
}

/** Short texts matched by the parts of an expression. */
class Words {
  readonly endlessLoops: AST.Quantifier[] = [];
  readonly #palette: readonly string[];
  readonly #flags: string;
  /** Texts for a part of the expression. */
  #maxWords = MAX_WORDS;

  constructor(pattern: string, flags: string) {
    this.#flags = flags.replace(/[^iuvs]/g, "");
    const named = new Set<string>();
    visitRegExpAST(parse(pattern, flags), {
      onQuantifierEnter: (loop) => {
        if (loop.max === Number.POSITIVE_INFINITY) this.endlessLoops.push(loop);
      },
      onCharacterEnter: ({ value }) => {
        named.add(String.fromCodePoint(value));
      },
    });
    this.#palette = [...new Set([...PALETTE, ...named])];
  }

  /** The content of a loop: for each set, all its characters. */
  pumps({ element }: AST.Quantifier): readonly string[] {
    this.#maxWords = this.#palette.length;
    const words = this.#of(element);
    this.#maxWords = MAX_WORDS;
    return words;
  }

  /** A text that matches everything before a loop; lookarounds count as empty. */
  before(loop: AST.Quantifier): readonly string[] {
    let words: readonly string[] = [""];
    let node: AST.Node = loop;
    for (let parent: AST.Node | null = node.parent; parent !== null; parent = node.parent) {
      if (parent.type === "Alternative") {
        const at = parent.elements.indexOf(node as AST.Element);
        words = join([this.#sequence(parent.elements.slice(0, at)), words], MAX_WORDS);
      }
      node = parent;
    }
    return [...new Set(words)];
  }

  #of(node: AST.Element): readonly string[] {
    switch (node.type) {
      case "Character":
        return [String.fromCodePoint(node.value)];
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return this.#membersOf(node).slice(0, this.#maxWords);
      case "Group":
      case "CapturingGroup":
        return this.#alternatives(node.alternatives);
      case "Quantifier":
        return this.#repeated(node);
      case "Backreference":
        return [node.resolved].flat().flatMap((group) => this.#of(group));
      default:
        return [""];
    }
  }

  #sequence(elements: readonly AST.Element[]): readonly string[] {
    return join(
      elements.map((element) => this.#of(element)),
      this.#maxWords,
    );
  }

  #alternatives(alternatives: readonly AST.Alternative[]): readonly string[] {
    return alternatives
      .flatMap(({ elements }) => this.#sequence(elements))
      .slice(0, 3 * this.#maxWords);
  }

  #repeated({ element, min }: AST.Quantifier): readonly string[] {
    const words = this.#of(element);
    if (min > 0) return words.map((word) => word.repeat(Math.min(min, 50)));
    return [words[0] ?? "", "", ...words.slice(1)];
  }

  #membersOf({ raw }: AST.Element): readonly string[] {
    const one = new RegExp(`^${raw}$`, this.#flags);
    return this.#palette.filter((character) => one.test(character));
  }
}

/** One text per part, not every combination. */
function join(parts: readonly (readonly string[])[], maxWords: number): readonly string[] {
  const count = Math.min(maxWords, Math.max(1, ...parts.map(({ length }) => length)));
  const words = Array.from({ length: count }, (_, index) =>
    parts.map((part) => part[index % part.length] ?? "").join(""),
  );
  return [...new Set(words)];
}

function parse(pattern: string, flags: string): AST.Pattern {
  const [unicode, unicodeSets] = [flags.includes("u"), flags.includes("v")];
  return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode, unicodeSets });
}
