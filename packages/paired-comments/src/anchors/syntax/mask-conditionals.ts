import { lexemes, withBlanks } from "./c-source.ts";

const directive: RegExp = /^\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;

type Range = readonly [start: number, end: number];

/** An open conditional of the preprocessor. */
interface Conditional {
  /** The number of open braces around it. */
  readonly depth: number;
  readonly directives: Range[];
  /** How many braces the first branch opens. */
  first: number | undefined;
  /** Does each branch so far close the braces that it opens, and no others? */
  isBalanced: boolean;
}

/**
 * Blanks the directives of conditionals in C and C++ whose branches open or close braces of the code around them, and
 * all branches but the first: the grammar would read the functions below as parts of that code. Those outside all
 * braces, such as around `extern "C" {`, are left.
 */
export function maskConditionals(source: string): string {
  const ranges: Range[] = [];
  const open: Conditional[] = [];
  let depth = 0;
  for (const { 0: text, index } of source.matchAll(lexemes)) {
    const current = open.at(-1);
    if (text === "{") depth++;
    if (text === "}") depth--;
    if (current !== undefined && depth < current.depth) current.isBalanced = false;
    const [, name] = directive.exec(text) ?? [];
    if (name === undefined) continue;
    const range: Range = [index, index + text.length];
    if (name.startsWith("if")) {
      open.push({ depth, directives: [range], first: undefined, isBalanced: true });
      continue;
    }
    if (current === undefined) continue;
    endBranch(current, depth, range);
    depth = current.depth;
    if (name !== "endif") continue;
    open.pop();
    if (current.isBalanced || current.depth <= 0) continue;
    ranges.push(...blanksOf(current));
    depth += current.first ?? 0;
  }
  return withBlanks(source, ranges);
}

function endBranch(conditional: Conditional, depth: number, end: Range): void {
  conditional.first ??= depth - conditional.depth;
  conditional.isBalanced &&= depth === conditional.depth;
  conditional.directives.push(end);
}

/** All but the first branch. */
function blanksOf({ directives }: Conditional): readonly Range[] {
  const [start, next, ...others] = directives;
  const last = others.at(-1) ?? next;
  return start && next && last ? [start, [next[0], last[1]]] : [];
}
