/** An authorization server whose tokens are accepted. */
export interface TrustedIssuer {
  /** As tokens and metadata name it, to the letter. */
  readonly issuer: string;
  /** Who this resource server is to it, where tokens are opaque and it has to be asked (RFC 7662). */
  readonly introspection?: { readonly clientId: string; readonly clientSecret: string };
}
