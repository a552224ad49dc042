import type { Fetch } from "../web-types.ts";
import type { ClientCredentials, CredentialStore } from "./credentials.ts";
import type { Dpop } from "./dpop.ts";

/** Where the authorization server sends the person back to. */
export interface RedirectTarget {
  /** The redirect URI. */
  readonly uri: string;
  /**
   * Has the person visit an address of the authorization server, and resolves with the address that it
   * redirects to, whose query holds the code.
   * @throws IdewireError `timeout` or `cancelled` when the person does not come back
   */
  visit(authorizationUrl: string): Promise<string>;
  /**
   * Called once, at the end of the login.
   * @param failure why it has given no tokens
   */
  close(failure?: unknown): Promise<void>;
}

/** Opens what receives the redirect. */
export type OpenRedirectTarget = (
  /** The redirect URI that is registered, which should be used again if possible. */
  registered: string | undefined,
) => Promise<RedirectTarget>;

export interface OAuthOptions {
  /** The address of the MCP server. */
  readonly url: string;
  readonly store: CredentialStore;
  /**
   * Has the person log in; without it, only stored tokens, `clientCredentials` and
   * `identityAssertion` authorize.
   */
  readonly openRedirectTarget?: OpenRedirectTarget;
  /**
   * A client that is registered by hand, by the issuer that knows it; `*` for any, without a secret. A secret goes
   * to no issuer but its own.
   */
  readonly clients?: Readonly<Record<string, ClientCredentials>>;
  /** The https address of a client id metadata document, for servers that accept it. */
  readonly clientMetadataUrl?: string;
  /** What the authorization server shows to the person. */
  readonly clientName?: string;
  /** Authorizes the program itself, not a person, by the client's secret or key (SEP-1046). */
  readonly clientCredentials?: MachineCredentials;
  /**
   * Obtains a JWT which the authorization server takes for tokens (RFC 7523, section 2.1): of the employer's
   * identity provider by `exchangeIdToken`, or of the platform that a workload runs on. Nobody then logs in;
   * the client is one of `clients`, whose issuer alone gets the JWT.
   */
  readonly identityAssertion?: RequestAssertion;
  /** Has tokens bound to a key, where the server can: `createDpop()`. */
  readonly dpop?: Dpop;
  /** The scopes to ask for when the server does not say which it wants. */
  readonly scope?: string;
  readonly fetch?: Fetch;
  /** How long one request to an authorization server may take; 20,000 by default. */
  readonly timeoutMs?: number;
}

/** The credentials of a program without a person. */
export interface MachineCredentials {
  /** The authorization server that knows the client; no other one gets anything of it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** For `private_key_jwt`. */
  readonly privateKey?: CryptoKey;
  /** A JWT by which a platform says which workload this is (RFC 7523, section 2.2), for each request. */
  readonly clientAssertion?: () => string | Promise<string>;
}

/** Obtains a JWT that says on whose behalf the client is, for each request for tokens. */
export type RequestAssertion = (request: AssertionRequest) => string | Promise<string>;

/** What a JWT has to be for. */
export interface AssertionRequest {
  /** The authorization server: its audience. */
  readonly issuer: string;
  /** The MCP server. */
  readonly resource: string;
  /** Separated by spaces. */
  readonly scope: string | undefined;
  /** Within the limits of size and time of `createOAuth`; follows no redirect. */
  readonly fetch: Fetch;
}
