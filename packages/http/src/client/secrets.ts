import { redactKnown } from "@idewire/core/internal";

/** A shorter text after a scheme is taken for a word. */
const MIN_CREDENTIAL = 8;

/** The values in the query of an address, as written and decoded. */
export function secretsOf({ searchParams }: URL): readonly string[] {
  const values = Array.from(searchParams, ([name, value]) => value || name);
  return values.flatMap((value) => [value, value.replaceAll(" ", "+")]);
}

/** Enough for requests whose answers may still arrive; each has a proof of possession of its own. */
const MAX_SECRETS = 50;

/**
 * The secrets sent lately: redacted in everything that a server repeats, before it is shown, put into an address
 * or forwarded.
 */
export class SentSecrets {
  /** The newest last. */
  readonly #values = new Set<string>();

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  add(values: Iterable<string | undefined>): void {
    for (const value of values) {
      if (value === undefined) continue;
      this.#values.delete(value);
      this.#values.add(value);
    }
    for (const oldest of this.#values) {
      if (this.#values.size > MAX_SECRETS) this.#values.delete(oldest);
    }
  }

  /** A JSON value of a server, without the secrets. */
  redact<T>(value: T): T {
    return redactionOf(this.#values)(value);
  }
}

/**
 * Redacts values that were sent to a server, and the credentials after a scheme such as `Bearer` in them, in a
 * JSON value that the server returns.
 * @param minLength shorter values are not hidden
 */
export function redactionOf(values: Iterable<string>, minLength?: number): <T>(value: T) => T {
  const whole = [...values];
  const credentials = whole
    .map((value) => value.slice(value.lastIndexOf(" ") + 1))
    .filter(({ length }) => length >= MIN_CREDENTIAL);
  return redactKnown([...whole, ...credentials], minLength === undefined ? {} : { minLength });
}
