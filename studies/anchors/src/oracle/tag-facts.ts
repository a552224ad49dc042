import { spawnSync } from "node:child_process";
import type { Fact } from "./source-facts.ts";
import type { Tag } from "./tag-ends.ts";

/** Kinds of tags that declare nothing. */
const notDeclared: ReadonlySet<string> = new Set(["library", "package", "script", "packageName"]);
/** The name that ctags makes for an anonymous declaration. */
const noName: RegExp = /^__anon/;
/** Shorter lines are often written twice, so that their text identifies none. */
const shortest = 12;

/** The declarations of sources in a folder, by path. */
export function tagsOf(
  folder: string,
  paths: readonly string[],
  language: string,
): ReadonlyMap<string, readonly Tag[]> {
  const options = [
    "--sort=no",
    "--output-format=json",
    "--fields=+neZKS",
    `--language-force=${language}`,
  ];
  const { stdout, status, stderr } = spawnSync("ctags", [...options, "-L", "-", "-f", "-"], {
    cwd: folder,
    input: paths.join("\n"),
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`universal-ctags is needed as the oracle: ${stderr}`);
  const tags = new Map<string, Tag[]>(paths.map((path) => [path, []]));
  for (const line of stdout.split("\n").filter((each) => each.startsWith("{"))) {
    const tag = JSON.parse(line) as Tag;
    if (!notDeclared.has(tag.kind) && !noName.test(tag.name)) tags.get(tag.path)?.push(tag);
  }
  return tags;
}

/**
 * Declarations by ctags and, as statements of the innermost declaration around them, lines of code.
 * @param comment the beginning of a comment line
 */
export function tagFacts(source: string, tags: readonly Tag[], comment: RegExp): readonly Fact[] {
  const lines = codeOf(source.split(/\r\n|\r|\n/), comment);
  const pathOf = pathsOf(tags);
  const sorted = [...tags].sort((a, b) => a.line - b.line);
  const declared = new Set<number>();
  const declarations = sorted.map((tag): Fact => {
    const isFirstOnLine = !declared.has(tag.line) && isFirst(lines, tag.line);
    declared.add(tag.line);
    const [first = "", ...rest] = lines.slice(tag.line - 1, tag.end ?? tag.line).map(wordsOf);
    const body = rest.filter((text) => text !== "").join(" ");
    const text = body === "" ? first : `${first} ${body}`;
    const fact = { kind: tag.kind, path: pathOf(tag), line: tag.line, endLine: tag.line };
    return { ...noFact, ...fact, name: tag.name, isDeclaration: true, isFirstOnLine, text, body };
  });
  const around = pathsAround(sorted, pathOf, lines.length);
  const statements: Fact[] = [];
  for (const [index, line] of lines.entries()) {
    if (declared.has(index + 1) || !/[\p{L}\p{N}]/u.test(line)) continue;
    const place = declarations.length + statements.length;
    const isFirstOnLine = line.trim().length >= shortest;
    const fact = { path: around[index] ?? "", line: index + 1, endLine: index + 1, isFirstOnLine };
    const beside = { before: statements.length === 0 ? -1 : place - 1, after: place + 1 };
    statements.push({ ...noFact, ...fact, ...beside, text: textOf(line) });
  }
  return [...declarations, ...statements];
}

const noFact: Fact = {
  ...{ kind: "line", isDeclaration: false, path: "", name: "", line: 0, endLine: 0 },
  ...{ isFirstOnLine: true, start: 0, end: 0, text: "", body: "", before: -1, after: -1 },
  isTopLevel: false,
};

/** The path of a declaration; that of an overload includes its parameters, as overloads share a name. */
function pathsOf(tags: readonly Tag[]): (tag: Tag) => string {
  const plain = ({ scope = "", name, kind }: Tag) => `${scope} > ${kind} ${name}`;
  const times = new Map<string, number>();
  for (const tag of tags) times.set(plain(tag), (times.get(plain(tag)) ?? 0) + 1);
  return (tag) =>
    (times.get(plain(tag)) ?? 0) > 1 ? `${plain(tag)}${tag.signature ?? ""}` : plain(tag);
}

/** The innermost declaration around each line. */
function pathsAround(
  sorted: readonly Tag[],
  pathOf: (tag: Tag) => string,
  length: number,
): readonly string[] {
  const paths = new Array<string>(length).fill("");
  for (const tag of sorted) paths.fill(pathOf(tag), tag.line - 1, tag.end ?? tag.line);
  return paths;
}

/** The lines without comments, which become blank ones. */
export function codeOf(lines: readonly string[], comment: RegExp): readonly string[] {
  let isInside = false;
  return lines.map((line) => {
    const isComment = isInside || comment.test(line);
    const begins = !isInside && /^\s*\/\*/.test(line);
    if (begins || isInside) isInside = !line.includes("*/");
    return isComment ? "" : line;
  });
}

/**
 * Whether a declaration begins on the line of its name. One whose name follows its body begins above, as may one
 * with an annotation, which the next version may have on a line of its own.
 */
function isFirst(lines: readonly string[], line: number): boolean {
  const [above = "", own = ""] = lines.slice(line - 2, line);
  const isOpen = /[\w*&>,=]\s*$/.test(above) && !/^\s*[#@[]/.test(above);
  return !isOpen && !/^\s*[@[}]/.test(own);
}

/** The words of a line; an import counts as one word, since a different import is not a changed version of it. */
function textOf(line: string): string {
  return /^\s*(?:#\s*include|import|use|using|require\w*)\b/.test(line)
    ? line.replace(/\s+/g, "")
    : wordsOf(line);
}

function wordsOf(line: string): string {
  return (line.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []).join(" ");
}
