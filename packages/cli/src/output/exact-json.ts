import { createRequire } from "node:module";
import type * as LosslessJson from "lossless-json";

/** A double has 15 to 17 significant digits. */
const LONG = /\d{16}/;

/** Loaded for the first text with such a number. */
let library: typeof LosslessJson | undefined;

/**
 * Parses JSON; numbers that JavaScript would round become objects with the original spelling.
 * @throws SyntaxError like `JSON.parse`
 */
export function parseExact(text: string): unknown {
  // The library sets the prototype for a member named `__proto__`.
  if (!LONG.test(text) || text.includes('"__proto__"')) return JSON.parse(text);
  library ??= createRequire(import.meta.url)("lossless-json") as typeof LosslessJson;
  const { isSafeNumber, LosslessNumber, parse } = library;
  const toNumber = (digits: string) =>
    isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits);
  try {
    return parse(text, undefined, toNumber);
  } catch {
    // It refuses duplicate members and deep nesting, which JSON.parse accepts.
    return JSON.parse(text);
  }
}

/** Formats a value of {@link parseExact}. */
export function formatExact(value: unknown): string {
  return library?.stringify(value) ?? JSON.stringify(value);
}

/** The first inexact integer in a value, as spelled. */
export function findInexact(value: unknown): string | undefined {
  if (library?.isLosslessNumber(value) === true) {
    return /^-?\d+$/.test(value.value) ? value.value : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const member of Object.values(value)) {
    const found = findInexact(member);
    if (found !== undefined) return found;
  }
  return undefined;
}
