import { type Case, casesOf } from "./oracle/cases.ts";
import type { Pair } from "./oracle/constructed.ts";
import type { Fact } from "./oracle/source-facts.ts";
import { hasEnds, type Tag, withEnds, withoutScopesOf } from "./oracle/tag-ends.ts";
import { codeOf, tagFacts, tagsOf } from "./oracle/tag-facts.ts";
import type { Versions } from "./packages.ts";
import { changedFiles, foldersOf } from "./sources.ts";

/** A language whose oracle is universal-ctags. */
interface Language {
  /** As ctags names it. */
  readonly name: string;
  readonly files: RegExp;
  /** The beginning of a comment line. */
  readonly comment: RegExp;
}

const ofC: RegExp = /^\s*(?:\/\/|\/\*|\*)/;

/** By the name of the set of packages. */
export const languages: Readonly<Record<string, Language>> = {
  go: { name: "Go", files: /\.go$/, comment: ofC },
  rust: { name: "Rust", files: /\.rs$/, comment: ofC },
  java: { name: "Java", files: /\.java$/, comment: ofC },
  c: { name: "C", files: /\.[ch]$/, comment: ofC },
  cpp: { name: "C++", files: /\.(?:h|hh|hpp|cc|cpp|inl)$/, comment: ofC },
  csharp: { name: "C#", files: /\.cs$/, comment: ofC },
  ruby: { name: "Ruby", files: /\.rb$/, comment: /^\s*#/ },
  php: { name: "PHP", files: /\.php$/, comment: /^\s*(?:\/\/|\/\*|\*|#(?!\[))/ },
  bash: { name: "Sh", files: /\.(?:sh|bash)$|^completions\/[\w.-]+$/, comment: /^\s*#/ },
};

/** Two versions of the changed sources of a package, with comments by the declarations of ctags. */
export async function taggedPairs(
  versions: Versions,
  { name, files, comment }: Language,
  isTaken: () => boolean,
): Promise<readonly (Pair & { readonly path: string })[]> {
  const [before, after] = await foldersOf(versions);
  const changed = (await changedFiles(versions, (path) => files.test(path))).filter(isTaken);
  const paths = changed.map(([path]) => path);
  const [old, fresh] = [tagsOf(before, paths, name), tagsOf(after, paths, name)];
  return changed.map(([path, before, after]) => {
    const [was, is] = [old.get(path) ?? [], fresh.get(path) ?? []];
    const { all, now } = tagCases({ before, after, was, is, comment });
    // A declaration that begins above the line of its name has no certain first line.
    const isCertain = ({ isDeclaration, isFirstOnLine }: Fact) => isFirstOnLine || !isDeclaration;
    const isUnread = unreadBy(before, after, now);
    const cases = all.filter(
      ({ fact, ...each }) =>
        fact === undefined || (now.slice(fact, fact + 1).every(isCertain) && !isUnread(each)),
    );
    return { path, before, after, cases };
  });
}

interface Tagged {
  readonly before: string;
  readonly after: string;
  readonly was: readonly Tag[];
  readonly is: readonly Tag[];
  readonly comment: RegExp;
}

/** The cases of two versions of a source, and the facts of the second. */
function tagCases({ before, after, was, is, comment }: Tagged) {
  const [old, now] = [tagFacts(before, was, comment), tagFacts(after, is, comment)];
  const byLines = casesOf(old, now);
  if (hasEnds([...was, ...is])) return { all: byLines, now };
  const closed = (source: string, tags: readonly Tag[]) =>
    tagFacts(source, withEnds(tags, codeOf(source.split(/\r\n|\r|\n/), comment)), comment);
  const [oldClosed, nowClosed] = [closed(before, was), closed(after, is)];
  const inScopes = withoutScopesOf(nowClosed, oldClosed);
  const byScopes = casesOf(withoutScopesOf(oldClosed, nowClosed), inScopes);
  // Code that was rewritten and renamed is not gone: only a comparison of first lines finds what is gone.
  const isGone = ({ expected }: Case) => expected === undefined;
  const alive = byScopes.filter((each) => !isGone(each));
  return { all: [...alive, ...byLines.filter(isGone)], now: inScopes };
}

/**
 * Whether the old line of a changed declaration is still in the new source, on a line where ctags found no
 * declaration: it reads only the first branch of a conditional.
 */
function unreadBy(before: string, after: string, facts: readonly Fact[]) {
  const linesOf = (source: string) => source.split(/\r\n|\r|\n/).map((line) => line.trim());
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const declared = new Set(facts.filter((fact) => fact.isDeclaration).map(({ line }) => line));
  return ({ class: name, line, expected }: Pick<Case, "class" | "line" | "expected">): boolean => {
    const own = old[line - 1] ?? "";
    if (name !== "D_sigchg" || own === fresh[(expected?.line ?? 0) - 1]) return false;
    return fresh.some((text, index) => text === own && !declared.has(index + 1));
  };
}
