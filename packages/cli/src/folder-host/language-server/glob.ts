import picomatch from "picomatch";
import { runWithin } from "../linter/time-limit.ts";

/** A longer pattern matches nothing. */
const MAX_PATTERN_LENGTH = 500;

/** A pattern that takes longer to match, as one full of stars may, does not match. */
const MAX_MATCH_MS = 200;

/** What `picomatch` knows beyond LSP's globs, `*`, `?`, `**`, `{a,b}` and `[a-z]`, is off. */
const OPTIONS: picomatch.PicomatchOptions = {
  dot: true,
  noextglob: true,
  nonegate: true,
  regex: false,
  // For `[!a-z]`.
  posix: true,
};

/** Whether a path is one of a pattern as LSP has them. */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  // A pattern without a slash at its start is for the end of a path, as one with `**/` is.
  const anchored = pattern.startsWith("/") ? pattern.slice(1) : `**/${pattern}`;
  let matches = false;
  runWithin(MAX_MATCH_MS, () => {
    const regex = picomatch.makeRe(anchored.replace(/[\\()|]/g, "\\$&"), OPTIONS);
    matches = regex.test(path.slice(1));
  });
  return matches;
}
