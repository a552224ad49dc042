import { isLike } from "../../like.ts";
import type { ScenarioExpectations } from "../file/model.ts";
import type { Mismatch } from "../pattern/pattern.ts";

/** How a file differs from the expectation; undefined when it matches. */
export function findFileMismatch(
  { text, like, exists }: ScenarioExpectations["file"],
  seen: string | undefined,
): Mismatch | undefined {
  const shown = seen === undefined ? "no such file" : JSON.stringify(seen);
  if (text !== undefined) {
    return seen === text ? undefined : { at: "", expected: JSON.stringify(text), seen: shown };
  }
  if (like !== undefined) {
    const isRight = seen !== undefined && isLike(like, seen);
    const expected = `a text like ${JSON.stringify(like)}`;
    return isRight ? undefined : { at: "", expected, seen: shown };
  }
  const isThere = seen !== undefined;
  if (isThere === exists) return undefined;
  return { at: "", expected: exists ? "a file" : "no such file", seen: isThere ? "a file" : shown };
}
