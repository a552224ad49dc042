import { IdewireError } from "./errors.ts";
import { describeValue } from "./text/describe-value.ts";

// Checks for authors who write JavaScript: TypeScript reports the same. Each throws an IdewireError
// `invalid-argument` that names the faulty option.

/** The names of the options of a type, which may be a union: one that is missing does not compile. */
export type OptionNames<Options> = Readonly<
  Record<Options extends unknown ? keyof Options : never, true>
>;

/** All options of a type, for {@link requireKnownOptions}. */
export function optionNames<Options>(names: OptionNames<Options>): ReadonlySet<string> {
  return new Set(Object.keys(names));
}

/**
 * Refuses an option that does not exist, such as a misspelled one, which would have no effect.
 * @param owner the function with the options
 */
export function requireKnownOptions(
  owner: string,
  options: unknown,
  known: ReadonlySet<string>,
): void {
  if (typeof options !== "object" || options === null) throw wrong(owner, "options", options);
  for (const name in options) {
    if (known.has(name)) continue;
    const expected = [...known].join(", ");
    const text = `${owner}: unknown option ${describeValue(name)}; the options are ${expected}`;
    throw new IdewireError("invalid-argument", text);
  }
}

/** Refuses a handler that is not a function. */
export function requireFunction(owner: string, handler: unknown): void {
  if (typeof handler !== "function") throw wrong(owner, "a function", handler);
}

/** Refuses a name or URI that is not a string. */
export function requireText(owner: string, text: unknown): void {
  if (typeof text !== "string" || text === "") throw wrong(owner, "a text", text);
}

/** Refuses anything but an array of strings. */
export function requireTexts(owner: string, texts: unknown): void {
  const isList = Array.isArray(texts) && texts.every((text) => typeof text === "string");
  if (!isList) throw wrong(owner, "a list of texts", texts);
}

/** Refuses a value that is not in a list; undefined is allowed. */
export function requireOneOf(owner: string, value: unknown, known: readonly string[]): void {
  if (value === undefined || known.some((one) => one === value)) return;
  throw wrong(owner, known.map((one) => JSON.stringify(one)).join(", "), value);
}

/** Refuses a value that lacks one of the required members. */
export function requireMembers(
  owner: string,
  value: unknown,
  { expected, functions }: { readonly expected: string; readonly functions: readonly string[] },
): void {
  for (const name of functions) {
    const isAny = (typeof value === "object" && value !== null) || typeof value === "function";
    if (!isAny) throw wrong(owner, expected, value);
    if (typeof Reflect.get(value, name) !== "function") {
      const text = `${owner}: expected ${expected}, got an object without ${name}()`;
      throw new IdewireError("invalid-argument", text);
    }
  }
}

function wrong(owner: string, expected: string, value: unknown): IdewireError {
  const seen = typeof value === "function" ? "a function" : describeValue(value);
  return new IdewireError("invalid-argument", `${owner}: expected ${expected}, got ${seen}`);
}
