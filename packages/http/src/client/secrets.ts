import { redactKnown } from "@idewire/core/internal";

/** A shorter text behind a scheme is a word. */
const MIN_CREDENTIAL = 8;

/** The values in the query of an address, as written and decoded. */
export function secretsOf({ searchParams }: URL): readonly string[] {
  const values = Array.from(searchParams, ([name, value]) => value || name);
  return values.flatMap((value) => [value, value.replaceAll(" ", "+")]);
}

/** Those of requests whose answers may still arrive; a proof of possession is new with each. */
const MAX_SECRETS = 50;

/** What was sent lately, and must not be shown, put into an address or sent on when a server repeats it. */
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

  /** A JSON value that a server may have made, without the secrets. */
  redact<T>(value: T): T {
    return redactionOf(this.#values)(value);
  }
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
