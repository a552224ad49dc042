import { globMatcher } from "@idewire/paired-comments/internal";

/** A longer pattern matches nothing. */
const MAX_PATTERN_LENGTH = 500;

/** Whether a path is one of a pattern as LSP has them: `*`, `?`, `**`, `{a,b}` and `[a-z]`. */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  // A pattern without a slash at its start is for the end of a path, as one with `**/` is.
  const anchored = pattern.startsWith("/") ? pattern.slice(1) : `**/${pattern}`;
  const matches = globMatcher(anchored.replace(/[\\()|]/g, "\\$&"));
  return matches?.(path.slice(1)) ?? false;
}
