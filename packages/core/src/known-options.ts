import { IdewireError } from "./errors.ts";

/**
 * Refuses an option that does not exist, such as a misspelled one, which would have no effect.
 * @param owner what has the options, for the message
 * @throws IdewireError `invalid-argument`
 */
export function requireKnownOptions(
  owner: string,
  options: object,
  known: ReadonlySet<string>,
): void {
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const expected = [...known].join(", ");
    const text = `${owner}: unknown option ${JSON.stringify(name)}; the options are ${expected}`;
    throw new IdewireError("invalid-argument", text);
  }
}
