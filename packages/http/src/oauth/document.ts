import { IdewireError } from "@idewire/core/rpc";
import { failureOf, isOutage } from "../client/failures.ts";
import { parseObject } from "../client/parse-object.ts";
import { readText } from "../client/read-text.ts";
import { redactionOf } from "../client/secrets.ts";
import type { Fetch } from "../web-types.ts";
import { outage, unauthorized } from "./errors.ts";

/** Metadata and tokens are a few kilobytes. */
const MAX_BYTES = 1 << 20;

/**
 * A `fetch` whose responses are read whole, within limits of size and time, and follow no redirect.
 * @param redact redacts known secrets in all answers except those with tokens
 * @throws IdewireError `unreachable`, `timeout`, or `unauthorized` for a response that is too large
 */
export function boundedFetch(
  given: Fetch | undefined,
  timeoutMs = 20_000,
  redact = <T>(value: T): T => value,
): Fetch {
  return async (url, init) => {
    const name = String(url).split("?")[0] ?? "";
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const send = given ?? fetch;
      const response = await send(url, { ...init, redirect: "manual", signal });
      const read = await readText(response, signal, { what: name, maxBytes: MAX_BYTES });
      // New secrets in an answer with tokens must arrive unchanged.
      const isIssuing = response.ok && init?.body instanceof URLSearchParams;
      const known = isIssuing ? read : hideIn(read, redact);
      const text = response.ok ? withoutEmpty(known) : hideSent(known, init);
      const { status } = response;
      const headers = new Headers(response.headers);
      // The library would read this challenge in place of the body, which explains the error.
      headers.delete("www-authenticate");
      const isEmpty = [101, 204, 205, 304].includes(status) || status < 200;
      return new Response(isEmpty ? null : text, { status: Math.max(200, status), headers });
    } catch (error) {
      if (signal.aborted) {
        throw new IdewireError("timeout", `${name} did not answer within ${timeoutMs} ms`);
      }
      const failure = failureOf(name, error);
      // The request that waits for tokens has not been sent, whatever happened to this one.
      if (!(failure instanceof IdewireError)) throw failure;
      if (failure.code === "protocol") throw unauthorized(failure.message);
      if (failure.code !== "lost") throw failure;
      throw new IdewireError("unreachable", failure.message, { cause: error });
    }
  };
}

const SECRETS =
  /^(?:code|code_verifier|client_secret|device_code|refresh_token|subject_token|token|.*assertion)$/;

/** A refusal without the sent values, which the server could repeat in a message that we show. */
function hideSent(text: string, { body, headers }: RequestInit = {}): string {
  const sent = body instanceof URLSearchParams ? [...body] : [];
  const [, basic = ""] = new Headers(headers).get("authorization")?.split(" ") ?? [];
  const pair = new URLSearchParams(`client_secret=${atob(basic).split(":")[1] ?? ""}`);
  const secrets = [...sent, ...pair].filter(([name]) => SECRETS.test(name));
  const hide = redactionOf([basic, ...secrets.map(([, value]) => value)], 1);
  return withoutEmpty(hideIn(text, hide));
}

function hideIn(text: string, hide: <T>(value: T) => T): string {
  const found = parseObject(text);
  return found === undefined ? hide(text) : JSON.stringify(hide(found));
}

/** A JSON object without empty members: many servers write null, or an empty string, for an absent one. */
function withoutEmpty(text: string): string {
  const found = parseObject(text);
  if (found === undefined) return text;
  const members = Object.entries(found).filter(([, value]) => value !== null && value !== "");
  return JSON.stringify(Object.fromEntries(members));
}

/**
 * A successful answer as the library requires it: with one status, as JSON, reduced to the used members. An answer
 * with an `error` is a refusal, whatever its status.
 * @param use picks the members that are used
 */
export async function normalizeResponse(
  response: Response,
  successStatus: number,
  use: (found: Readonly<Record<string, unknown>>) => object,
): Promise<Response> {
  if (!response.ok) return response;
  const found = parseObject(await response.text()) ?? {};
  const isRefusal = typeof found["error"] === "string";
  return new Response(JSON.stringify(isRefusal ? found : use(found)), {
    status: isRefusal ? 400 : successStatus,
    headers: { "content-type": "application/json" },
  });
}

/** A JSON object, and the address where it was found. */
export interface FoundObject {
  readonly found: Readonly<Record<string, unknown>>;
  readonly place: URL;
}

/**
 * The first JSON object of several addresses; undefined when there is none at any of them.
 * @throws IdewireError `unreachable` when an address that fails could have it
 */
export async function fetchFirst(
  fetch: Fetch,
  places: readonly URL[],
): Promise<FoundObject | undefined> {
  let failed: IdewireError | undefined;
  for (const place of places) {
    const response = await fetch(place.href, { headers: { accept: "application/json" } });
    const { ok, status } = response;
    const found = ok ? parseObject(await response.text()) : undefined;
    if (found !== undefined) return { found, place };
    if (isOutage(status)) failed ??= outage(`${place.origin}${place.pathname}: HTTP ${status}`);
  }
  if (failed !== undefined) throw failed;
  return undefined;
}
