import type { Fetch } from "../web-types.ts";
import type { ClientCredentials, CredentialStore } from "./credentials.ts";
import type { Dpop } from "./dpop.ts";

/** Where the authorization server redirects the person. */
export interface RedirectTarget {
  /** The redirect URI. */
  readonly uri: string;
  /**
   * Opens an address of the authorization server for the person, and resolves with the address of the redirect,
   * whose query holds the code.
   * @throws IdewireError `timeout` or `cancelled` when the person does not come back
   */
  visit(authorizationUrl: string): Promise<string>;
  /**
   * Called once, at the end of the login.
   * @param failure why no tokens were obtained
   */
  close(failure?: unknown): Promise<void>;
}

/** Opens the receiver of the redirect. */
export type OpenRedirectTarget = (
  /** The registered redirect URI, to be used again if possible. */
  registered: string | undefined,
) => Promise<RedirectTarget>;

/** What the person enters on any device, to log in the program on this one (RFC 8628, section 3.2). */
export interface DeviceCode {
  readonly userCode: string;
  /** Where the code is entered. */
  readonly verificationUri: string;
  /** The same address with the code in it. */
  readonly verificationUriComplete?: string | undefined;
  /** How long the code is valid. */
  readonly expiresInMs: number;
}

/** A login on another device. */
export interface DeviceLogin {
  /** Shows the code to the person. */
  show(code: DeviceCode): void | Promise<void>;
  /** Ends the wait for the person. */
  readonly signal?: AbortSignal;
}

export interface OAuthOptions {
  /** The address of the MCP server. */
  readonly url: string;
  readonly store: CredentialStore;
  /**
   * Lets the person log in; without it and `deviceLogin`, only stored tokens, `clientCredentials` and
   * `identityAssertion` authorize.
   */
  readonly openRedirectTarget?: OpenRedirectTarget;
  /** Lets the person log in on another device (RFC 8628); preferred to `openRedirectTarget`. */
  readonly deviceLogin?: DeviceLogin;
  /** The only authorization server to use: any other that the MCP server names is refused. */
  readonly issuer?: string;
  /**
   * Clients registered by hand, by issuer; `*` for any issuer, without a secret. A secret is sent only to its own
   * issuer.
   */
  readonly clients?: Readonly<Record<string, ClientCredentials>>;
  /** The https address of a client id metadata document, for servers that accept it. */
  readonly clientMetadataUrl?: string;
  /** The name that the authorization server shows to the person. */
  readonly clientName?: string;
  /** Authorizes the program itself, in place of a person, by the client's secret or key (SEP-1046). */
  readonly clientCredentials?: MachineCredentials;
  /**
   * Obtains a JWT that the authorization server exchanges for tokens (RFC 7523, section 2.1): from the employer's
   * identity provider by `exchangeIdToken`, or from the platform that a workload runs on. Nobody logs in then; the
   * client is one of `clients`, and only its issuer is sent the JWT.
   */
  readonly identityAssertion?: RequestAssertion;
  /** Binds tokens to a key, if the server supports it: `createDpop()`. */
  readonly dpop?: Dpop;
  /**
   * The scopes to request, separated by spaces: besides those that the server requires, and in place of all that it
   * supports.
   */
  readonly scope?: string;
  readonly fetch?: Fetch;
  /** The time-out of a request to an authorization server, in milliseconds; 20,000 by default. */
  readonly timeoutMs?: number;
}

/** The credentials of a program without a person. */
export interface MachineCredentials {
  /** The client's authorization server; the credentials are sent to no other. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** For `private_key_jwt`. */
  readonly privateKey?: CryptoKey;
  /** Obtains a platform's JWT that identifies the workload (RFC 7523, section 2.2), for each request. */
  readonly clientAssertion?: () => string | Promise<string>;
}

/** Obtains a JWT that names the person or workload that the client acts for, for each request for tokens. */
export type RequestAssertion = (request: AssertionRequest) => string | Promise<string>;

/** The required audience of a JWT. */
export interface AssertionRequest {
  /** The authorization server: its audience. */
  readonly issuer: string;
  /** The MCP server. */
  readonly resource: string;
  /** Separated by spaces. */
  readonly scope: string | undefined;
  /** A `fetch` within the limits of size and time of `createOAuth`; follows no redirect. */
  readonly fetch: Fetch;
}
