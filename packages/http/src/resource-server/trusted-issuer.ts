/** An authorization server whose tokens are accepted. */
export interface TrustedIssuer {
  /** Exactly as in tokens and metadata. */
  readonly issuer: string;
  /**
   * The `typ` of its JWTs that are access tokens: `at+jwt` (RFC 9068) by default. `JWT` is for issuers that
   * do not mark them, such as Entra ID (`JWT`) and Cognito (`JWT` or none): then tokens without a type are
   * accepted, too, and ID tokens are recognised by their audience and claims alone.
   */
  readonly accessTokenType?: "at+jwt" | "JWT";
  /** For opaque tokens, which require introspection (RFC 7662). */
  readonly introspection?: IntrospectionOptions;
}

/** The options of introspection. */
export interface IntrospectionOptions {
  /** The credentials of this resource server at the issuer. */
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * The prefix of its tokens. An issuer is not sent other tokens: if there are several issuers, all but one need a
   * prefix.
   */
  readonly tokenPrefix?: string;
  /**
   * How long an answer is cached, and so how long a revoked token is still accepted, in milliseconds; 10,000 by
   * default.
   */
  readonly cacheMs?: number;
}
