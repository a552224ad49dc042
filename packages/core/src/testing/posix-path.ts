import { type PosixPath, parsePosixPath } from "../paths/posix-path.ts";

/**
 * The path for a literal in a test.
 * @throws Error when it is not absolute
 */
export function posixPath(text: string): PosixPath {
  const path = parsePosixPath(text);
  if (path.ok) return path.value;
  throw new Error(path.issue);
}
