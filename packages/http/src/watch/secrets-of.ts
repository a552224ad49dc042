import { isObject, isSecretKey } from "@idewire/core/internal";
import { parseValue } from "../client/parse-object.ts";
import type { HttpHeader } from "./http-fact.ts";

/** The parameters of OAuth that are secrets, besides those whose names say so (RFC 6749, RFC 7636, RFC 8628). */
const PARAMETERS = /^(?:code|code_verifier|device_code|.*assertion)$/;
const MAX_LEVELS = 20;

function isSecret(name: string): boolean {
  return PARAMETERS.test(name) || isSecretKey(name);
}

/** Headers that each message may have with another value. */
const PER_MESSAGE = /^(?:dpop|cookie|set-cookie)$/;

/** The headers without those secrets that are used once: proofs and cookies. */
export function redactPerMessage(headers: Iterable<readonly [string, string]>): HttpHeader[] {
  return [...headers].map(([name, value]) => [
    name,
    PER_MESSAGE.test(name) ? "redacted-token" : value,
  ]);
}

/** The secrets in headers: credentials without their scheme. */
export function secretsOfHeaders(headers: readonly HttpHeader[]): readonly string[] {
  return headers
    .filter(([name]) => isSecretKey(name) && !PER_MESSAGE.test(name))
    .map(([, value]) => value.slice(value.lastIndexOf(" ") + 1));
}

/** The secrets in the query of an address. */
export function secretsOfUrl(url: string): readonly string[] {
  return URL.canParse(url) ? secretsOfForm(new URL(url).searchParams) : [];
}

/** The secrets in a body: a form, or JSON. */
export function secretsOfText(text: string): readonly string[] {
  const value = parseValue(text);
  return isObject(value) ? secretsOfMembers(value) : secretsOfForm(new URLSearchParams(text));
}

function secretsOfForm(form: URLSearchParams): readonly string[] {
  return [...form].filter(([name]) => isSecret(name)).map(([, value]) => value);
}

function secretsOfMembers(value: object, level = 0): readonly string[] {
  if (level > MAX_LEVELS) return [];
  return Object.entries(value).flatMap(([name, member]: readonly [string, unknown]) => {
    if (typeof member === "string") return isSecret(name) ? [member] : [];
    return isObject(member) ? secretsOfMembers(member, level + 1) : [];
  });
}
