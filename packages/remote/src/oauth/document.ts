import { IdewireError, isObject, parseJson } from "@idewire/core";
import { undelivered } from "../http/failures.ts";
import { readText } from "../http/read-text.ts";
import type { Fetch } from "../web-types.ts";

/** Metadata and tokens are a few kilobytes. */
const MAX_BYTES = 1 << 20;

/**
 * A `fetch` whose responses are read whole, within limits of size and time, and follow no redirect.
 * @throws IdewireError `unreachable`, `lost`, `timeout` or `protocol`
 */
export function boundedFetch(given: Fetch | undefined, timeoutMs = 20_000): Fetch {
  return async (url, init) => {
    const name = String(url).split("?")[0] ?? "";
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const send = given ?? fetch;
      const response = await send(url, { ...init, redirect: "manual", signal });
      const text = await readText(response, MAX_BYTES);
      const { status } = response;
      const headers = new Headers(response.headers);
      // The library would read this challenge, and not the body, which says what is wrong.
      headers.delete("www-authenticate");
      const isEmpty = [101, 204, 205, 304].includes(status) || status < 200;
      return new Response(isEmpty ? null : text, { status: Math.max(200, status), headers });
    } catch (error) {
      if (!signal.aborted) throw undelivered(name, error);
      throw new IdewireError("timeout", `${name} did not answer within ${timeoutMs} ms`);
    }
  };
}

/** The JSON object at an address; undefined when there is none. */
export async function fetchObject(
  fetch: Fetch,
  url: URL,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const response = await fetch(url.href, { headers: { accept: "application/json" } });
  if (!response.ok) return undefined;
  try {
    const value = parseJson(await response.text());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
