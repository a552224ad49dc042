import { describeValue } from "@idewire/core/internal";
import type { BaseIssue } from "valibot";

/** Types of schemas in plain words. */
const kinds: Readonly<Record<string, string>> = {
  ...{ string: "a text", number: "a number", boolean: "true or false" },
  ...{ Object: "an object", Array: "a list" },
};

/**
 * An issue as a sentence: the member, the expected value and the value seen, such as `"time" must be a number,
 * saw "x"`.
 * @param whole the name of the value itself, such as `a plan of faults`
 */
export function describeIssue(
  { input, expected, path, message, type }: BaseIssue<unknown>,
  whole: string,
): string {
  const keys = path?.map(({ key }) => key) ?? [];
  const where = keys.map(nameOf).reverse().join(" in ");
  // A member that is missing is expected by its own name.
  if (where !== "" && input === undefined) return `${whole} needs ${where}`;
  const length = type.endsWith("_length") ? "of a length of " : "";
  const wanted = expected === null ? message : `must be ${length}${toWords(expected)}`;
  return `${where || whole} ${wanted}, saw ${describeValue(input)}`;
}

function nameOf(key: unknown): string {
  return typeof key === "number" ? `item ${key + 1}` : JSON.stringify(String(key));
}

function toWords(expected: string): string {
  const plain = expected
    .replace(/^\((.*)\)$/, "$1")
    .replaceAll(" | ", " or ")
    .replace(/^>=/, "at least ")
    .replace(/^<=/, "at most ");
  return Object.hasOwn(kinds, plain) ? (kinds[plain] ?? plain) : plain;
}
