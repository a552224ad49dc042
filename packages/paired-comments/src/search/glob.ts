import picomatch from "picomatch";
import { RE2JS, RE2JSSyntaxException } from "re2js";

const options = { dot: true, noextglob: true, windows: false };

/**
 * Conditions of picomatch that every path of a workspace meets, as it is normalised: no name is empty, `.` or `..`.
 * RE2 has no look-ahead.
 */
const metByAll = [
  "(?!\\.{0,1}(?:\\/|$))",
  "(?!\\.{1,2}(?:\\/|$))",
  "(?!(?:^|\\/)\\.{1,2}(?:\\/|$))",
];

/**
 * Whether a normalised path is what a glob names, in time that grows with the path alone: picomatch reads the glob,
 * RE2 matches. Where a name ends in a dot, `a.*` is it, too, as in a shell.
 * @returns undefined for what is no glob
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
    // More must follow: the name that the star stands for. There it is not the end of the path.
    .replaceAll("|$)(?=.)", ")")
    .replaceAll("(?=.)", "");
  // Other characters than ASCII's mean themselves, and RE2 has them so only.
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
