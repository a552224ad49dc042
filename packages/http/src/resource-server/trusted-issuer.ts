/** An authorization server whose tokens are accepted. */
export interface TrustedIssuer {
  /** As tokens and metadata name it, to the letter. */
  readonly issuer: string;
  /**
   * The `typ` of its JWTs that are access tokens: `at+jwt` (RFC 9068) by default. `JWT` is for issuers that
   * do not mark them, such as Entra ID (`JWT`) and Cognito (`JWT` or none): then tokens without a type are
   * accepted, too, and ID tokens are recognised by their audience and claims alone.
   */
  readonly accessTokenType?: "at+jwt" | "JWT";
  /** Where tokens are opaque, so that it has to be asked about them (RFC 7662). */
  readonly introspection?: IntrospectionOptions;
}

/** How an issuer is asked about tokens. */
export interface IntrospectionOptions {
  /** Who this resource server is to it. */
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * What its tokens begin with. An issuer is shown no others: where several are asked, each but one needs a
   * prefix.
   */
  readonly tokenPrefix?: string;
  /**
   * How long an answer counts, in milliseconds, and so for how long a token is still accepted after it was
   * revoked; 10,000 by default.
   */
  readonly cacheMs?: number;
}
