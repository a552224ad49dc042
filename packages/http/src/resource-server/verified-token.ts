/** Who a token was issued to, and for what. */
export interface VerifiedToken {
  readonly issuer: string;
  /** The person or program, as the issuer names it; undefined where the token names a client alone. */
  readonly subject: string | undefined;
  /** The client that sends it, where the issuer says so. */
  readonly clientId: string | undefined;
  readonly scopes: readonly string[];
  /** When it ends, in seconds since 1970. */
  readonly expiresAtS: number;
  /** The key that it is bound to: an RFC 7638 thumbprint. */
  readonly keyThumbprint: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}
