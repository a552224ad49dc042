import { type PosixPath, parsePosixPath } from "../paths/posix-path.ts";

/**
 * The path of a text that the test's author wrote.
 * @throws Error when it is none
 */
export function posixPath(text: string): PosixPath {
  const path = parsePosixPath(text);
  if (path.ok) return path.value;
  throw new Error(path.issue);
}
