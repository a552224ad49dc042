import { findJsonError, pointerTo, positionAt } from "@idewire/core/internal";
import { type Problem, problem } from "./problem.ts";

/** In a longer text, the place of an error is not determined; UTF-16 units. */
const MAX_PLACED = 1_000_000;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** The problem of a frame that is not JSON. */
export function checkBroken(raw: string): Problem {
  return problem("encoding.not-json", { expected: "JSON", got: describePlace(raw) });
}

/**
 * The problems of the characters of a frame.
 * @param value the frame, parsed
 */
export function checkCharacters(raw: string, value: unknown): readonly Problem[] {
  const pointer = findLoneSurrogate(raw, value);
  if (pointer === undefined) return [];
  const expected = "a pair of surrogates";
  return [problem("encoding.lone-surrogate", { pointer, expected, got: "a lone surrogate" })];
}

function describePlace(text: string): string {
  if (text.trim() === "") return "an empty text";
  if (text.length > MAX_PLACED) return `something else in ${text.length} characters`;
  const offset = findJsonError(text);
  const { line, character } = positionAt(text, offset);
  const seen = text.slice(offset, offset + 12);
  const what = seen === "" ? "the end of the text" : JSON.stringify(seen);
  return `${what} at line ${line + 1}, column ${character + 1}`;
}

/** The pointer to a string, or a name, with half of a surrogate pair. */
function findLoneSurrogate(raw: string, root: unknown): string | undefined {
  if (!ESCAPED_SURROGATE.test(raw) && !LONE_SURROGATE.test(raw)) return undefined;
  const open: (readonly [value: unknown, pointer: string])[] = [[root, ""]];
  while (open.length > 0) {
    const [value, pointer] = open.pop() ?? [undefined, ""];
    if (typeof value === "string" && LONE_SURROGATE.test(value)) return pointer;
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      const inside = pointerTo(pointer, name);
      if (LONE_SURROGATE.test(name)) return inside;
      open.push([member, inside]);
    }
  }
  return undefined;
}
