import picomatch from "picomatch";
import { RE2JS, RE2JSSyntaxException } from "re2js";

// `posix` is for `[!a-z]`.
const options = { dot: true, noextglob: true, posix: true, windows: false };

/**
 * Look-aheads of picomatch, which RE2 lacks. Every normalised path meets them: no name is empty, `.` or `..`.
 */
const metByAll = [
  "(?!\\.{0,1}(?:\\/|$))",
  "(?!\\.{1,2}(?:\\/|$))",
  "(?!(?:^|\\/)\\.{1,2}(?:\\/|$))",
];

/**
 * Matches normalised paths in linear time: picomatch parses the glob, RE2 matches. `a.*` also matches a name that
 * ends in a dot, as in a shell.
 * @returns undefined for an invalid glob
 */
export function globMatcher(glob: string): ((path: string) => boolean) | undefined {
  if (glob === "") return undefined;
  const { source } = picomatch.makeRe(glob, options);
  const [, negated] = /^\^\(\?!(.*)\)\.\*\$$/s.exec(source) ?? [];
  const pattern = compile(negated ?? source);
  if (pattern === undefined) return undefined;
  return (path) => path === glob || pattern.test(path) === (negated === undefined);
}

function compile(source: string): RE2JS | undefined {
  const plain = metByAll
    .reduce((text, condition) => text.replaceAll(condition, ""), source)
    // A name must follow for the star, so the end of the path is not an alternative.
    .replaceAll("|$)(?=.)", ")")
    .replaceAll("(?=.)", "");
  // RE2 rejects escapes of non-ASCII characters, which need none.
  const known = plain.replace(/\\(.)/gs, (pair, character: string) =>
    character > "\x7f" ? character : pair,
  );
  try {
    return RE2JS.compile(known);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return undefined;
  }
}
