import { isObject } from "@idewire/core/internal";

/** Shorter ones are words of their own. */
const SHORTEST = 8;
/** An escape of JSON, of an address or of HTML, which may be escaped itself; of JSON, in Latin-1, as headers are. */
const ESCAPE = /(?:\\+u00|%(?:25)*|&#x0*)([\da-f]{2});?|&#0*(\d{2,3});|\\+/gi;

/** The values that the query of an address holds, as written and as meant. */
export function secretsOf({ searchParams }: URL): readonly string[] {
  const values = Array.from(searchParams, ([name, value]) => value || name);
  return values.flatMap((value) => [value, value.replaceAll(" ", "+")]);
}

/**
 * Hides values that were sent to a server, and what follows a scheme such as `Bearer` in them, in a JSON value that
 * it may have made of them. Words that hold one in escapes lose their escapes.
 * @param shortest values shorter than this are not hidden
 */
export function redactionOf(
  values: Iterable<string>,
  shortest: number = SHORTEST,
): <T>(value: T) => T {
  const whole = [...values];
  const credentials = whole
    .map((value) => value.slice(value.lastIndexOf(" ") + 1))
    .filter(({ length }) => length >= SHORTEST);
  const secrets = [...whole, ...credentials]
    .flatMap((value) => [value, unescaped(value)])
    .filter(({ length }) => length >= shortest)
    // One may be a part of another.
    .sort((one, other) => other.length - one.length);
  const hide = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
  const hideIn = (words: string) => {
    const plain = unescaped(words);
    const hidden = hide(plain);
    return hide(hidden === plain ? words : hidden);
  };
  const replace = (_: string, part: unknown) => {
    if (typeof part === "string") return hideIn(part);
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [hideIn(key), each]));
  };
  return <T>(value: T) => JSON.parse(JSON.stringify(value ?? null, replace)) as T;
}

/** What is not seen may stand between the characters of a secret. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** Twice, since JSON may be in an address, and an address in JSON. */
function unescaped(text: string): string {
  const once = (escaped: string) =>
    escaped.replace(ESCAPE, (_, hex?: string, decimal?: string) =>
      (hex ?? decimal) ? String.fromCharCode(Number(decimal ?? `0x${hex}`)) : "",
    );
  return once(once(text)).replace(INVISIBLE, "");
}
