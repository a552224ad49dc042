/** More of a text inside a frame is not read as JSON. */
const MAX_INNER_UNITS = 200_000;
/** Stands in a path for the step into the JSON inside a string: a JSON pointer never has it. */
const INSIDE = "~2";

/** The value of a JSON text; undefined when it is none. */
export function decode(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The same of a string inside a frame, of objects and arrays alone. */
export function decodeInner(text: string): { readonly json: unknown } | undefined {
  return /^\s*[[{]/.test(text) && text.length < MAX_INNER_UNITS ? decode(text) : undefined;
}

/** The path of the JSON inside the string at a path. */
export function inside(path: string): string {
  return `${path}/${INSIDE}`;
}
