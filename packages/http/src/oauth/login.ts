import type { Fetch } from "../web-types.ts";
import type { Challenge } from "./challenge.ts";
import type {
  ClientCredentials,
  RegisteredClient,
  StoredCredentials,
  StoredTokens,
} from "./credentials.ts";
import { requestByDevice } from "./device-login.ts";
import { type DiscoveredServer, isSameIssuer } from "./discovery.ts";
import type { KeyProofs } from "./dpop.ts";
import { AuthorizationServerError, SERVER, unauthorized, withUserError } from "./errors.ts";
import type { DeviceLogin, OAuthOptions, RedirectTarget } from "./options.ts";
import { clientOf, knownClient, register } from "./registration.ts";
import {
  requestByAssertion,
  requestByClient,
  requestByCode,
  type TokenContext,
} from "./token-requests.ts";

/** Why new tokens are needed. */
export interface Need {
  /** The tokens that were refused, or are about to expire. */
  readonly refused: StoredTokens | undefined;
  readonly challenge: Challenge;
  readonly mayLogIn: boolean;
  /** More scopes are needed, which a refresh cannot obtain. */
  readonly needsMore?: boolean;
}

/** The context of a login. */
export interface Login {
  readonly server: DiscoveredServer;
  /** The stored credentials of this authorization server. */
  readonly own: StoredCredentials | undefined;
  readonly need: Need;
  readonly options: OAuthOptions;
  readonly fetch: Fetch;
  readonly proofs: KeyProofs | undefined;
  /** Redacts known secrets. */
  readonly redact: <T>(value: T) => T;
}

/** The result of a login. */
export type LoggedIn = Pick<StoredCredentials, "client" | "tokens">;

/**
 * Obtains tokens without a refresh: from the person, or with the program's own credentials.
 * @throws IdewireError `unauthorized`; what the redirect target throws
 */
export function logIn(login: Login): Promise<LoggedIn> {
  return withUserError(SERVER, () => logInAnyhow(login));
}

async function logInAnyhow(login: Login): Promise<LoggedIn> {
  const { clientCredentials, identityAssertion, deviceLogin, openRedirectTarget, url } =
    login.options;
  const scope = scopeFor(login);
  if (clientCredentials !== undefined) {
    requireStated(clientCredentials.issuer, login);
    return { tokens: await requestByClient(login, clientCredentials, scope) };
  }
  if (identityAssertion !== undefined) {
    const { server, options } = login;
    const client = clientOf(server.issuer, options.clients) ?? unknownClient(server);
    const context = { ...login, client, resource: server.resource ?? url };
    return { tokens: await requestByAssertion(context, identityAssertion, scope) };
  }
  // Mapped here already, since the redirect target shows the message to the person.
  const withPerson = (grant: Grant) => withUserError(SERVER, () => logInByGrant(login, grant));
  if (deviceLogin !== undefined) return withPerson(deviceGrant(deviceLogin, url));
  if (openRedirectTarget === undefined) {
    throw unauthorized(`${new URL(url).host} wants you to log in`);
  }
  const target = await openRedirectTarget(login.own?.client?.redirectUri);
  let failure: unknown;
  try {
    return await withPerson(codeGrant(target));
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await target.close(failure);
  }
}

/** How the person authorizes the client. */
interface Grant {
  /** Of the client; undefined if the person is not redirected. */
  readonly redirectUri: string | undefined;
  request(context: TokenContext, scope: string | undefined): Promise<StoredTokens>;
}

function codeGrant(target: RedirectTarget): Grant {
  const request: Grant["request"] = (context, scope) => requestByCode(context, target, scope);
  return { redirectUri: target.uri, request };
}

function deviceGrant(device: DeviceLogin, url: string): Grant {
  const server = new URL(url);
  return {
    redirectUri: undefined,
    request: (context, scope) => requestByDevice({ ...context, url: server }, device, scope),
  };
}

/** Whether tokens are obtained without a person. */
export function isUnattended({ clientCredentials, identityAssertion }: OAuthOptions): boolean {
  return clientCredentials !== undefined || identityAssertion !== undefined;
}

/**
 * @throws IdewireError `unauthorized` unless the client belongs to the authorization server that the MCP server
 * names
 */
function requireStated(issuer: string, { server, options }: Login): void {
  if (isSameIssuer(issuer, server.issuer)) return;
  const { host } = new URL(options.url);
  throw unauthorized(`clientCredentials are for ${issuer}, but ${host} names ${server.issuer}`);
}

function unknownClient({ issuer }: DiscoveredServer): never {
  const what =
    "must know the client: register it there, and give its id as clients, under the issuer";
  throw unauthorized(`${issuer} ${what}`);
}

/** The error codes of servers for an unknown client. */
const FORGOTTEN: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client"]);

/** Registers again, once, if the server no longer knows the client. */
async function logInByGrant(login: Login, grant: Grant): Promise<LoggedIn> {
  const { server, own, options } = login;
  const isFit =
    own?.client?.redirectUri === grant.redirectUri && isRegisteredFor(own?.client, login);
  const registered = isFit ? own?.client : undefined;
  const known = knownClient(server, options);
  try {
    return await logInAs(known ?? registered, login, grant);
  } catch (error) {
    const isForgotten = error instanceof AuthorizationServerError && FORGOTTEN.has(error.code);
    if (!isForgotten || known !== undefined || registered === undefined) throw error;
    return logInAs(undefined, login, grant);
  }
}

/** @param client undefined to register one */
async function logInAs(
  client: ClientCredentials | undefined,
  login: Login,
  grant: Grant,
): Promise<LoggedIn> {
  const { server, own, fetch } = login;
  const { clientName } = login.options;
  const scope = scopeFor(login);
  const used = client ?? (await register(server, grant.redirectUri, { fetch, clientName, scope }));
  const tokens = await grant.request({ ...login, client: used }, scope);
  const isRegistered = client === undefined || client === own?.client;
  return { tokens, client: isRegistered ? used : undefined };
}

/** Whether a client was registered for all scopes that are needed now. */
function isRegisteredFor(client: RegisteredClient | undefined, login: Login): boolean {
  const registered = client?.scope?.split(" ") ?? [];
  return (scopeFor(login)?.split(" ") ?? []).every((scope) => registered.includes(scope));
}

/** MCP 2025-11-25, Authorization / Scope Selection Strategy; with those granted before (SEP-2350). */
function scopeFor({ server, need, options }: Login): string | undefined {
  const { metadata, scopesSupported } = server;
  const required = need.challenge.scope;
  const asked = options.scope ?? (required === undefined ? scopesSupported?.join(" ") : undefined);
  const before = need.needsMore === true ? need.refused?.scope : undefined;
  const scopes = new Set(
    `${before ?? ""} ${required ?? ""} ${asked ?? ""}`.split(/\s+/).filter(Boolean),
  );
  if (!isUnattended(options) && metadata.scopes_supported?.includes("offline_access") === true) {
    scopes.add("offline_access");
  }
  return scopes.size === 0 ? undefined : [...scopes].join(" ");
}
