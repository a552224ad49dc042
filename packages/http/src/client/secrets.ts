import { redactKnown } from "@idewire/core/internal";

/** A shorter text behind a scheme is a word. */
const MIN_CREDENTIAL = 8;

/** The values that the query of an address holds, as written and as meant. */
export function secretsOf({ searchParams }: URL): readonly string[] {
  const values = Array.from(searchParams, ([name, value]) => value || name);
  return values.flatMap((value) => [value, value.replaceAll(" ", "+")]);
}

/**
 * Hides values that were sent to a server, and what follows a scheme such as `Bearer` in them, in a JSON
 * value that it may have made of them.
 * @param minLength shorter values are not hidden
 */
export function redactionOf(values: Iterable<string>, minLength?: number): <T>(value: T) => T {
  const whole = [...values];
  const credentials = whole
    .map((value) => value.slice(value.lastIndexOf(" ") + 1))
    .filter(({ length }) => length >= MIN_CREDENTIAL);
  return redactKnown([...whole, ...credentials], minLength === undefined ? {} : { minLength });
}
