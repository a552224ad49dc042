/** Shorter ones are words of their own. */
const SHORTEST = 8;
/** An escape of JSON or of an address, which may be escaped itself; of JSON, in Latin-1, as headers are. */
const ESCAPE = /(?:\\+u00|%(?:25)*)([\da-f]{2})|\\+/gi;

/** The values that the query of an address holds, as written and as meant. */
export function secretsOf({ searchParams }: URL): readonly string[] {
  const values = Array.from(searchParams, ([name, value]) => value || name);
  return values.flatMap((value) => [value, value.replaceAll(" ", "+")]);
}

/**
 * Hides values that were sent to a server, and what follows a scheme such as `Bearer` in them, in words that it
 * may have made of them. Words that hold one in escapes lose their escapes.
 */
export function hiding(values: Iterable<string>): (words: string) => string {
  const secrets = [...values]
    .flatMap((value) => [value, value.slice(value.lastIndexOf(" ") + 1)])
    .flatMap((value) => [value, unescaped(value)])
    .filter(({ length }) => length >= SHORTEST)
    // One may be a part of another.
    .sort((one, other) => other.length - one.length);
  const hide = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
  return (words) => {
    const plain = unescaped(words);
    const hidden = hide(plain);
    return hide(hidden === plain ? words : hidden);
  };
}

/** What is not seen may stand between the characters of a secret. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** Twice, since JSON may be in an address, and an address in JSON. */
function unescaped(text: string): string {
  const once = (escaped: string) =>
    escaped.replace(ESCAPE, (_, code?: string) =>
      code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16)),
    );
  return once(once(text)).replace(INVISIBLE, "");
}
