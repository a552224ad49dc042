/**
 * Prefixes added to each line by programs that run others: the time (GitHub Actions, ts), a step of `docker build`, a
 * container of compose, foreman or kubectl, a task of turbo, lerna or pnpm, an index or name of concurrently.
 */
const PREFIXES: readonly RegExp[] = [
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]? /,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]? /,
  /^##\[(?:error|warning|notice|debug)\]/,
  /^#\d+ (?:\d+\.\d+ |(?=[^\s[]))/,
  /^[\w.-]+ {0,40}\| ?/,
  /^(?:@?[\w.-]+\/)?[\w.-]+[:#][a-z][\w-]*(?::[a-z][\w-]*)?: /,
  /^(?=[^ ]{0,200}[/.])(?<directory>[\w@./-]{1,200}) [a-z][\w:-]{0,60}: /,
  /^\[(?:\d+|(?!(?:error|warn|warning|info|debug|success)\])[a-z@][\w/@:.-]*)\] /,
];

/** A line without prefixes, and the directory that one of them names. */
export interface PlainLine {
  readonly line: string;
  readonly directory: string | undefined;
}

/** Removes the prefixes of a line; undefined if it has none. */
export function withoutPrefixes(line: string): PlainLine | undefined {
  let rest = line;
  let directory: string | undefined;
  for (;;) {
    const found = PREFIXES.map((prefix) => prefix.exec(rest)).find((match) => match !== null);
    if (found === undefined) break;
    directory ??= found.groups?.["directory"];
    rest = rest.slice(found[0].length);
  }
  return rest === line ? undefined : { line: rest, directory };
}
