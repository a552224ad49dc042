import type { Change, Move, PackageVersions } from "../elsewhere.ts";
import { type Pick, topLevel, within } from "./constructed.ts";
import { type Fact, factsOf } from "./source-facts.ts";

const shortestBody = 15;

interface Leaving {
  readonly path: string;
  readonly source: string;
  readonly other: string;
  readonly otherSource: string;
  readonly isRenamed: boolean;
}

/** A declaration moved to the end of another source. */
export function leaving(
  { path, source, other, otherSource, isRenamed }: Leaving,
  pick: Pick,
): Change | undefined {
  const facts = factsOf(path, source);
  const chosen = pick(topLevel(facts));
  if (chosen === undefined) return undefined;
  const text = source.slice(chosen.start, chosen.end);
  const isPlain = /^[\w$]{3,}$/.test(chosen.name);
  if (isRenamed && !isPlain) return undefined;
  const named = new RegExp(`(?<![\\w$])${chosen.name.replaceAll("$", "\\$")}(?![\\w$])`, "g");
  const moved = isRenamed ? text.replace(named, `renamed${chosen.name}`) : text;
  const padded = `${otherSource.replace(/\n*$/, "")}\n\n`;
  const shift = padded.split("\n").length - chosen.line;
  const to = (line: number) => ({ filePath: other, line: line + shift });
  return {
    class: isRenamed ? "made: to another file, renamed" : "made: to another file",
    path,
    after: {
      [path]: source.slice(0, chosen.start) + source.slice(chosen.end),
      [other]: `${padded}${moved}\n`,
    },
    moves: [chosen, ...within(chosen, facts)]
      .filter(({ isFirstOnLine }) => isFirstOnLine)
      .map(({ line, endLine }) => ({ line, endLine, to: to(line) })),
  };
}

/** Declarations missing from a source, whose bodies are in exactly one other source of the new version. */
export function wentElsewhere(
  path: string,
  { before, after }: PackageVersions,
): Change | undefined {
  const fresh = after[path];
  if (fresh === undefined) return undefined;
  const known = new Set(factsOf(path, fresh).map(({ body }) => body));
  const gone = factsOf(path, before[path] ?? "").filter(
    (fact) => isLong(fact) && !known.has(fact.body),
  );
  const inner = gone.filter((fact) => !gone.some((outer) => isAround(outer, fact)));
  const moves = inner.flatMap((fact): readonly Move[] => {
    const found = Object.entries(after).flatMap(([other, source]) =>
      other !== path && mayHold(source, fact)
        ? factsOf(other, source)
            .filter(({ body }) => body === fact.body)
            .map(({ line }) => ({ filePath: other, line }))
        : [],
    );
    const [to] = found;
    const wasThere = (before[to?.filePath ?? ""] ?? "").includes(lineOf(fact, before[path] ?? ""));
    if (to === undefined || found.length > 1 || wasThere || !fact.isFirstOnLine) return [];
    return [{ line: fact.line, endLine: fact.endLine, to }];
  });
  return { class: "version: to another file", path, after, moves };
}

function isLong({ isDeclaration, body }: Fact): boolean {
  return isDeclaration && body.split(" ").length >= shortestBody;
}

function isAround(outer: Fact, fact: Fact): boolean {
  return outer !== fact && outer.start <= fact.start && outer.end >= fact.end;
}

/** Whether the source contains its longest words. */
function mayHold(source: string, { body }: Fact): boolean {
  const words = body.split(" ").sort((a, b) => b.length - a.length);
  return words.slice(0, 5).every((word) => source.includes(word));
}

function lineOf({ line }: Fact, source: string): string {
  return source.split("\n")[line - 1] ?? "";
}
