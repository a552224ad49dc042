/** What a 401 or 403 says in its `WWW-Authenticate` header (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface Challenge {
  readonly resource_metadata?: string;
  readonly scope?: string;
  readonly error?: string;
}

/** Any parameter, so that what another one quotes is not taken for one. */
const PARAMETER = /(?<![\w-])([\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

/**
 * Reads the parameters of a challenge: the first of each counts, and those of other schemes are as good.
 * Names other than those of {@link Challenge} may be among them.
 */
export function readChallenge({ headers }: Pick<Response, "headers">): Challenge {
  const header = (headers.get("www-authenticate") ?? "").slice(0, 8_192);
  const found = new Map<string, string>();
  for (const [, name = "", quoted, token = ""] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, "$1") ?? token);
  }
  return Object.fromEntries(found);
}
