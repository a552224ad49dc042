/** What a 401 or 403 says in its `WWW-Authenticate` header (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface Challenge {
  readonly resource_metadata?: string;
  readonly scope?: string;
  readonly error?: string;
}

const PARAMETER =
  /\b(resource_metadata|scope|error)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** Reads the parameters of a challenge; the first of each counts, and those of other schemes are as good. */
export function readChallenge({ headers }: Pick<Response, "headers">): Challenge {
  const header = (headers.get("www-authenticate") ?? "").slice(0, 8_192);
  const found = new Map<string, string>();
  for (const [, name = "", quoted, token = ""] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, "$1") ?? token);
  }
  return Object.fromEntries(found);
}
