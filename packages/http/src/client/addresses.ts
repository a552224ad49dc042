import { IdewireError } from "@idewire/core/rpc";

/** @returns undefined for an invalid address */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** Whether an address belongs to an origin and has no password, which `fetch` refuses. */
export function isWithin(address: URL | undefined, origin: string | undefined): address is URL {
  return address?.href.startsWith(`${origin}/`) === true;
}

/** @throws IdewireError for an address that `fetch` would refuse with the password in its message */
export function requireHttp(url: string | URL): URL {
  const parsed = parseUrl(String(url));
  if (isWithin(parsed, parsed?.origin) && /^https?:/.test(parsed.href)) return parsed;
  const [seen] = String(url).replace(/^.*@/s, "…@").split(/[?#]/, 1);
  const wanted = "an http or https address without a password";
  throw new IdewireError("invalid-argument", `Expected ${wanted}, got ${seen}`);
}
