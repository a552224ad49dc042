import { overlap } from "./overlap.ts";
import type { Fact } from "./source-facts.ts";

/** A comment on an old source, and its right place in the new one. */
export interface Case {
  readonly class: string;
  /** 1-based; in the old source. */
  readonly line: number;
  readonly endLine: number;
  /** In the new source; undefined if its code is gone. */
  readonly expected: { readonly line: number; readonly endLine: number } | undefined;
  /** Index of the fact in the new source, to follow it through a formatter. */
  readonly fact?: number;
}

const shortestBody = 15;

/** Maps declarations and statements from one version to the next, where that is certain. */
export function casesOf(before: readonly Fact[], after: readonly Fact[]): readonly Case[] {
  return [...declarationCases(before, after), ...statementCases(before, after)];
}

function declarationCases(before: readonly Fact[], after: readonly Fact[]): readonly Case[] {
  const isDeclaration = ({ isDeclaration }: Fact) => isDeclaration;
  const old = before.filter(isDeclaration);
  const fresh = after.filter(isDeclaration);
  const oldPaths = groupBy(old, ({ path }) => path);
  const paths = groupBy(fresh, ({ path }) => path);
  const oldBodies = groupBy(old, ({ body }) => body);
  const bodies = groupBy(fresh, ({ body }) => body);
  const words = new Set(after.flatMap(({ text }) => text.split(" ")));
  return old
    .filter(({ isFirstOnLine }) => isFirstOnLine)
    .flatMap((fact): readonly Case[] => {
      const found = paths.get(fact.path) ?? [];
      const [partner] = found;
      if (partner !== undefined) {
        if (found.length > 1 || (oldPaths.get(fact.path)?.length ?? 0) > 1) return [];
        return [
          alive(headOf(fact) === headOf(partner) ? "D_same" : "D_sigchg", fact, partner, after),
        ];
      }
      const sameBody = bodies.get(fact.body) ?? [];
      if (fact.body.split(" ").length >= shortestBody && sameBody.length > 0) {
        const [renamed] = sameBody;
        const isUnique = sameBody.length === 1 && oldBodies.get(fact.body)?.length === 1;
        if (!isUnique || renamed === undefined || oldPaths.has(renamed.path)) return [];
        return [alive("D_renamed", fact, renamed, after)];
      }
      if (words.has(fact.name.replace(/^[gs]et /, ""))) return [];
      if (after.some(({ text }) => overlap(text, fact.text) >= 0.6)) return [];
      return [gone("D_deleted", fact)];
    });
}

/** The tokens before the body: a declaration's head, independent of formatting. */
function headOf({ text, body }: Fact): string {
  return body === "" ? text : text.slice(0, text.length - body.length);
}

function statementCases(before: readonly Fact[], after: readonly Fact[]): readonly Case[] {
  const isStatement = ({ isDeclaration }: Fact) => !isDeclaration;
  const texts = groupBy(after, ({ text }) => text);
  const oldTexts = groupBy(before, ({ text }) => text);
  const unique = (fact: Fact | undefined): Fact | undefined => {
    const found = fact === undefined ? [] : (texts.get(fact.text) ?? []);
    return found.length === 1 && oldTexts.get(fact?.text ?? "")?.length === 1
      ? found[0]
      : undefined;
  };
  return before
    .filter(isStatement)
    .filter(({ isFirstOnLine }) => isFirstOnLine)
    .flatMap((fact): readonly Case[] => {
      const same = unique(fact);
      if (same !== undefined) {
        return same.path === fact.path ? [alive("S_same", fact, same, after)] : [];
      }
      const previous = unique(before[fact.before]);
      const next = unique(before[fact.after]);
      if (previous === undefined || next === undefined || previous.path !== next.path) return [];
      const between = after[previous.after];
      if (between === undefined || after[next.before] !== between || between.kind !== fact.kind)
        return [];
      if (between.text === fact.text) return [alive("S_dup", fact, between, after)];
      if (texts.has(fact.text) || oldTexts.has(between.text)) return [];
      const isLike = overlap(between.text, fact.text) >= 0.4;
      return isLike ? [alive("S_changed", fact, between, after)] : [];
    });
}

function alive(name: string, { line, endLine }: Fact, partner: Fact, after: readonly Fact[]): Case {
  const expected = { line: partner.line, endLine: partner.endLine };
  return { class: name, line, endLine, expected, fact: after.indexOf(partner) };
}

export function gone(name: string, { line, endLine }: Fact): Case {
  return { class: name, line, endLine, expected: undefined };
}

export function groupBy<T>(
  items: readonly T[],
  key: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
