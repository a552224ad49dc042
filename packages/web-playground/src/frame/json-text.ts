/** Longer texts inside a frame are not parsed as JSON. */
const MAX_INNER_UNITS = 200_000;
/** Marks in a path the step into JSON inside a string; never part of a JSON pointer. */
const INSIDE = "~2";

/** The value of a JSON text; undefined if it is not JSON. */
export function decode(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The same for a string inside a frame; only objects and arrays. */
export function decodeInner(text: string): { readonly json: unknown } | undefined {
  return /^\s*[[{]/.test(text) && text.length < MAX_INNER_UNITS ? decode(text) : undefined;
}

/** The path of the JSON inside the string at a path. */
export function inside(path: string): string {
  return `${path}/${INSIDE}`;
}
