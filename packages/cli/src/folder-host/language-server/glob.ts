import { globMatcher } from "@idewire/paired-comments/internal";

/** A longer pattern matches nothing. */
const MAX_PATTERN_LENGTH = 500;

/** Whether a path matches an LSP glob pattern: `*`, `?`, `**`, `{a,b}` and `[a-z]`. */
export function matchesGlob(pattern: string, path: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) return false;
  // A pattern without a leading slash matches the end of a path, as one with `**/` does.
  const anchored = pattern.startsWith("/") ? pattern.slice(1) : `**/${pattern}`;
  const matches = globMatcher(anchored.replace(/[\\()|]/g, "\\$&"));
  return matches?.(path.slice(1)) ?? false;
}
