import type { Fact } from "./source-facts.ts";

/** A declaration, as universal-ctags reads it. */
export interface Tag {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  readonly end?: number;
  readonly scope?: string;
  readonly signature?: string;
}

/** For some languages ctags reports no ends: a line of one function would be equated with that of any other. */
export function hasEnds(tags: readonly Tag[]): boolean {
  return tags.some(({ end }) => end !== undefined);
}

/**
 * Declarations that end with their closing braces.
 * @param lines without comments
 */
export function withEnds(tags: readonly Tag[], lines: readonly string[]): readonly Tag[] {
  return tags.map((tag) => ({ ...tag, end: endOf(tag.line, lines) }));
}

/** Lines of a declaration missing from the other version become lines of the file: it may have been renamed. */
export function withoutScopesOf(facts: readonly Fact[], others: readonly Fact[]): readonly Fact[] {
  const declared = new Set(others.filter((fact) => fact.isDeclaration).map(({ path }) => path));
  return facts.map((fact) =>
    fact.isDeclaration || declared.has(fact.path) ? fact : { ...fact, path: "" },
  );
}

const quoted: RegExp = /"(?:\\.|[^"\\])*"|'\\?.'|'[^'{}]*'|\[[^\][]*\]/g;

/** The line of the closing brace of a declaration, or of its `;`; its own line if it has neither. */
function endOf(line: number, lines: readonly string[]): number {
  let [braces, parentheses] = [0, 0];
  for (let index = line - 1; index < lines.length; index++) {
    for (const char of (lines[index] ?? "").replaceAll(quoted, "")) {
      if (char === "{") braces++;
      if (char === "}" && --braces <= 0) return braces < 0 ? line : index + 1;
      if (char === "(") parentheses++;
      if (char === ")") parentheses = Math.max(0, parentheses - 1);
      if (char === ";" && braces + parentheses === 0) return index + 1;
    }
    const isItem = index === line - 1 && /,\s*$/.test(lines[index] ?? "");
    if (isItem && braces + parentheses === 0) return line;
  }
  return line;
}
