/** Who a token was issued to, and for what. */
export interface VerifiedToken {
  readonly issuer: string;
  /** The person or program, as the issuer names it; undefined if the token names only a client. */
  readonly subject: string | undefined;
  /** The client that sends it, if the issuer names it. */
  readonly clientId: string | undefined;
  readonly scopes: readonly string[];
  /** When it expires, in seconds since 1970. */
  readonly expiresAtS: number;
  /** The key to which it is bound: an RFC 7638 thumbprint. */
  readonly keyThumbprint: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}
