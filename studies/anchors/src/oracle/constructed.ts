import { format } from "prettier";
import { type Case, gone } from "./cases.ts";
import { type Fact, factsOf } from "./source-facts.ts";

/** A source and a constructed change of it, with the resulting places of its comments. */
export interface Pair {
  readonly before: string;
  readonly after: string;
  readonly cases: readonly Case[];
}

/** The two styles of Prettier: narrow with tabs, wide without semicolons. */
export const styles = {
  narrow: { printWidth: 60, useTabs: true },
  wide: { printWidth: 120, semi: false, singleQuote: true },
} as const;

/** A source formatted by Prettier; undefined if that fails. */
export async function prettier(
  path: string,
  source: string,
  style: keyof typeof styles,
): Promise<string | undefined> {
  const parser = path.endsWith(".ts") ? "typescript" : "babel";
  try {
    return await format(source, { parser, ...styles[style] });
  } catch {
    return undefined;
  }
}

/** The facts of a formatted source, if they correspond one to one to those of the source. */
export function formattedFacts(
  path: string,
  facts: readonly Fact[],
  formatted: string,
): readonly Fact[] | undefined {
  const after = factsOf(path, formatted);
  const isSame =
    after.length === facts.length && after.every((fact, i) => fact.kind === facts[i]?.kind);
  return isSame ? after : undefined;
}

/** Comments on each statement, before and after formatting. */
export async function formatting(
  path: string,
  source: string,
  style: keyof typeof styles,
): Promise<Pair | undefined> {
  const after = await prettier(path, source, style);
  const before = factsOf(path, source);
  const facts = after === undefined ? undefined : formattedFacts(path, before, after);
  if (after === undefined || facts === undefined) return undefined;
  return { before: source, after, cases: oneToOne(`Prettier ${style}`, before, facts) };
}

function oneToOne(name: string, before: readonly Fact[], after: readonly Fact[]): readonly Case[] {
  return before.flatMap(({ line, endLine, isFirstOnLine }, index) => {
    const partner = after[index];
    if (partner === undefined || !isFirstOnLine) return [];
    return [{ class: name, line, endLine, expected: linesOf(partner) }];
  });
}

/** A declaration renamed throughout its source. */
export function renaming(path: string, source: string, pick: Pick): Pair | undefined {
  const before = factsOf(path, source);
  const chosen = pick(topLevel(before));
  if (chosen === undefined || !/^[\w$]{3,}$/.test(chosen.name)) return undefined;
  const after = source.replace(
    new RegExp(`(?<![\\w$])${chosen.name.replaceAll("$", "\\$")}(?![\\w$])`, "g"),
    `renamed${chosen.name}`,
  );
  const facts = factsOf(path, after);
  const inside = within(chosen, before);
  const cases = oneToOne("rename, inside", before, facts).filter(({ line }) =>
    inside.some((fact) => fact.line === line),
  );
  const { line, endLine } = chosen;
  const expected = { line, endLine };
  return {
    before: source,
    after,
    cases: [{ class: "rename, on it", line, endLine, expected }, ...cases],
  };
}

/** A declaration moved to the end of its source. */
export function moving(path: string, source: string, pick: Pick): Pair | undefined {
  const before = factsOf(path, source);
  const chosen = pick(topLevel(before));
  if (chosen === undefined) return undefined;
  const rest = source.slice(0, chosen.start) + source.slice(chosen.end);
  const padded = rest.endsWith("\n") ? `${rest}\n` : `${rest}\n\n`;
  const after = `${padded}${source.slice(chosen.start, chosen.end)}\n`;
  const shift = padded.split("\n").length - chosen.line;
  const cases = [chosen, ...within(chosen, before)]
    .filter(({ isFirstOnLine }) => isFirstOnLine)
    .map(({ line, endLine }) => ({
      class: "moved in the file",
      line,
      endLine,
      expected: { line: line + shift, endLine: endLine + shift },
    }));
  return { before: source, after, cases };
}

/** A declaration removed: all comments on it and inside have lost their code. */
export function cutting(path: string, source: string, pick: Pick): Pair | undefined {
  const before = factsOf(path, source);
  const chosen = pick(topLevel(before));
  if (chosen === undefined) return undefined;
  const inside = within(chosen, before).filter(({ isFirstOnLine }) => isFirstOnLine);
  return {
    before: source,
    after: source.slice(0, chosen.start) + source.slice(chosen.end),
    cases: [gone("cut, on it", chosen), ...inside.map((fact) => gone("cut, inside", fact))],
  };
}

export type Pick = (facts: readonly Fact[]) => Fact | undefined;

/** The functions and classes directly in a file, of more than two lines. */
export function topLevel(facts: readonly Fact[]): readonly Fact[] {
  const kinds = ["FunctionDeclaration", "ClassDeclaration"];
  return facts.filter(
    ({ kind, isTopLevel, isFirstOnLine, line, endLine }) =>
      isTopLevel && isFirstOnLine && kinds.includes(kind) && endLine > line + 1,
  );
}

/** Whether a fact is inside another. */
export function within({ start, end }: Fact, facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact) => fact.start > start && fact.end <= end);
}

function linesOf({ line, endLine }: Fact): { readonly line: number; readonly endLine: number } {
  return { line, endLine };
}
