import { isObject } from "../reference-clients/wire.ts";

/**
 * The differences of `actual` from `expected`; empty if there are none. Objects may have additional members,
 * lists no additional items. `{"$json": …}` matches a text with such JSON, `{"$starts": …}` a text with such a
 * start, `{"$any": "string"}` any value of a type except an empty text, `{"$absent": true}` a missing member.
 */
export function mismatches(expected: unknown, actual: unknown, where = "message"): string[] {
  if (Array.isArray(expected)) return listMismatches(expected, actual, where);
  if (!isObject(expected)) return expected === actual ? [] : [mismatch(expected, actual, where)];
  if ("$absent" in expected)
    return actual === undefined ? [] : [mismatch("nothing", actual, where)];
  if ("$any" in expected) {
    return typeof actual === expected["$any"] && actual !== ""
      ? []
      : [mismatch(expected, actual, where)];
  }
  if ("$starts" in expected) {
    const starts = String(actual).startsWith(String(expected["$starts"]));
    return starts ? [] : [mismatch(expected, actual, where)];
  }
  if ("$json" in expected) return jsonMismatches(expected["$json"], actual, where);
  if (!isObject(actual)) return [mismatch(expected, actual, where)];
  return Object.entries(expected).flatMap(([key, value]) =>
    mismatches(value, actual[key], `${where}.${key}`),
  );
}

function listMismatches(expected: readonly unknown[], actual: unknown, where: string): string[] {
  if (!Array.isArray(actual) || actual.length !== expected.length) {
    return [mismatch(expected, actual, where)];
  }
  return expected.flatMap((item, index) => mismatches(item, actual[index], `${where}[${index}]`));
}

function jsonMismatches(expected: unknown, actual: unknown, where: string): string[] {
  if (typeof actual !== "string") return [mismatch("a text of JSON", actual, where)];
  try {
    return mismatches(expected, JSON.parse(actual), `${where}(json)`);
  } catch {
    return [mismatch("a text of JSON", actual, where)];
  }
}

function mismatch(expected: unknown, actual: unknown, where: string): string {
  return `${where}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
}
