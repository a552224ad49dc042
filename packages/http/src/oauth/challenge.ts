/** The `WWW-Authenticate` header of a 401 or 403 (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface Challenge {
  readonly resource_metadata?: string;
  readonly scope?: string;
  readonly error?: string;
  /** Whether the server accepts tokens that are bound to a key: a scheme of the header is `DPoP` (RFC 9449, 7.1). */
  readonly acceptsProofs?: boolean;
}

/** Any parameter, so that the quoted value of another is not mistaken for one. */
const PARAMETER = /(?<![\w-])([\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

/** Followed by parameters, by another challenge, or by nothing. */
const DPOP_SCHEME = /(?:^|,)[ \t]*DPoP(?![^\s,])/i;

/**
 * Reads the parameters of a challenge, of any scheme: the first of each name counts. The result may have names
 * other than those of {@link Challenge}.
 */
export function readChallenge({ headers }: Pick<Response, "headers">): Challenge {
  const header = (headers.get("www-authenticate") ?? "").slice(0, 8_192);
  const found = new Map<string, string>();
  for (const [, name = "", quoted, token = ""] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, "$1") ?? token);
  }
  const acceptsProofs = DPOP_SCHEME.test(header.replace(PARAMETER, ""));
  return { ...Object.fromEntries(found), acceptsProofs };
}
