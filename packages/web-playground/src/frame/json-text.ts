import { exactJson } from "../state/exact-json.ts";

/** Longer texts inside a frame are not parsed as JSON. */
const MAX_INNER_UNITS = 200_000;
/** Marks in a path the step into JSON inside a string; never part of a JSON pointer. */
const INSIDE = "~2";

/** The value of a JSON text, whose long numbers keep their spelling; undefined if it is not JSON. */
export function decode(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: exactJson.parse(text) };
  } catch {
    return undefined;
  }
}

/** The same for a string inside a frame; only objects and arrays. */
export function decodeInner(text: string): { readonly json: unknown } | undefined {
  return /^\s*[[{]/.test(text) && text.length < MAX_INNER_UNITS ? decode(text) : undefined;
}

/** Whether a value of {@link decode} has members or items. */
export function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && !exactJson.isLongNumber(value);
}

/** The path of the JSON inside the string at a path. */
export function inside(path: string): string {
  return `${path}/${INSIDE}`;
}
