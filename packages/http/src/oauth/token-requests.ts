import { describeValue } from "@idewire/core/internal";
import {
  allowInsecureRequests,
  type ClientAuth,
  calculatePKCECodeChallenge,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomState,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  processGenericTokenEndpointResponse,
  type TokenEndpointRequestOptions,
  validateAuthResponse,
} from "oauth4webapi";
import { redactionOf } from "../client/secrets.ts";
import type { Fetch } from "../web-types.ts";
import { authentication, authenticationOf, obtained } from "./client-authentication.ts";
import type { ClientCredentials, StoredTokens } from "./credentials.ts";
import type { DiscoveredServer } from "./discovery.ts";
import { normalizeResponse } from "./document.ts";
import type { KeyProofs } from "./dpop.ts";
import { AuthorizationServerError, mapOAuthErrors, SERVER, unauthorized } from "./errors.ts";
import type { MachineCredentials, RedirectTarget, RequestAssertion } from "./options.ts";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The context of all requests for tokens. */
export interface TokenContext {
  readonly server: DiscoveredServer;
  readonly client: ClientCredentials;
  readonly fetch: Fetch;
  /** By the key to which the tokens are bound. */
  readonly proofs: KeyProofs | undefined;
  /** Redacts known secrets. */
  readonly redact: <T>(value: T) => T;
}

/**
 * Lets the person log in, and exchanges the code (OAuth 2.1, Authorization Code Grant, with PKCE). If a server
 * refuses the `resource`, the request is repeated once without it.
 */
export async function requestByCode(
  context: TokenContext,
  target: RedirectTarget,
  scope: string | undefined,
): Promise<StoredTokens> {
  try {
    return await requestByVisit(context, target, scope);
  } catch (error) {
    const { server } = context;
    if (server.resource === undefined || !refuses(error, "resource")) throw error;
    const without = { ...context, server: { ...server, resource: undefined } };
    return requestByVisit(without, target, scope);
  }
}

async function requestByVisit(
  context: TokenContext,
  target: RedirectTarget,
  scope: string | undefined,
): Promise<StoredTokens> {
  const { server, client, proofs } = context;
  const { metadata, resource } = server;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  if (metadata.authorization_endpoint === undefined) {
    throw unauthorized(`${server.issuer} names no authorization_endpoint`);
  }
  const url = new URL(metadata.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: target.uri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    scope,
    // OpenID Connect issues a refresh token only after the person's consent.
    prompt: scope?.split(" ").includes("offline_access") ? "consent" : undefined,
    resource,
    // Nobody else can use the code.
    dpop_jkt: await proofs?.handle.calculateThumbprint(),
  };
  for (const [name, value] of Object.entries(parameters).filter(hasValue)) {
    url.searchParams.set(name, value);
  }
  const back = new URL(await target.visit(url.href));
  for (const name of ["iss", "error", "error_description"]) {
    const value = back.searchParams.get(name);
    if (value !== null) back.searchParams.set(name, context.redact(value));
  }
  const named = back.searchParams.get("iss");
  if (named !== null && named !== metadata.issuer) {
    const seen = `iss ${describeValue(named)}`;
    throw unauthorized(`The answer to the login has the ${seen}, expected ${metadata.issuer}`);
  }
  return mapOAuthErrors(SERVER, async () => {
    // Compares state and iss first, in refusals, too.
    const answer = validateAuthResponse(metadata, { client_id: client.clientId }, back, state);
    const code = answer.get("code");
    if (code === null) throw unauthorized(`${server.issuer} gave no code`);
    const given = { code, redirect_uri: target.uri, code_verifier: verifier };
    return exchange(context, "authorization_code", { scope, given });
  });
}

/** Exchanges a refresh token for the scopes that it was issued for: some servers refuse a request without them. */
export function requestByRefresh(
  context: TokenContext,
  { refreshToken, scope }: StoredTokens,
): Promise<StoredTokens> {
  const given = { refresh_token: refreshToken, scope };
  const optional = ["resource", "scope"] as const;
  return exchange(context, "refresh_token", { scope, given, optional });
}

/** Authorizes the program itself (MCP 2025-11-25, SEP-1046). */
export async function requestByClient(
  context: Omit<TokenContext, "client">,
  machine: MachineCredentials,
  scope: string | undefined,
): Promise<StoredTokens> {
  const auth = await authenticationOf(machine, context.server.metadata);
  const known = { ...context, client: machine, auth };
  return exchange(known, "client_credentials", { scope, given: { scope } });
}

/** Exchanges a JWT of an issuer that the authorization server trusts (RFC 7523, section 2.1). */
export async function requestByAssertion(
  context: TokenContext & { readonly resource: string },
  request: RequestAssertion,
  scope: string | undefined,
): Promise<StoredTokens> {
  const { fetch, resource } = context;
  const { issuer } = context.server;
  const assertion = await obtained("identityAssertion", () =>
    request({ issuer, resource, scope, fetch }),
  );
  return exchange(context, JWT_BEARER, { scope, given: { assertion, scope } });
}

interface Exchange {
  /** The scopes of the tokens if the server does not name them. */
  readonly scope: string | undefined;
  /** The parameters; undefined ones are omitted. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** The parameters that are omitted once the server refuses them; `resource` by default. */
  readonly optional?: readonly Refusable[];
}

/** Exchanges a grant for tokens. */
export function exchange(
  context: TokenContext & { readonly auth?: ClientAuth },
  grant: string,
  request: Exchange,
): Promise<StoredTokens> {
  const { scope, given, optional = ["resource"] } = request;
  const { client, auth } = context;
  const { metadata, resource } = context.server;
  const known = { client_id: client.clientId };
  const all: Exchange["given"] = { ...given, resource };
  const send = async (left: Readonly<Record<string, undefined>>) => {
    const parameters = Object.entries({ ...all, ...left }).filter(hasValue);
    const response = await genericTokenEndpointRequest(
      metadata,
      known,
      auth ?? authentication(client, metadata),
      grant,
      parameters,
      requestOptions(context),
    );
    return processGenericTokenEndpointResponse(metadata, known, await normalizeTokens(response));
  };
  const sendWithout = (left: Readonly<Record<string, undefined>>) =>
    mapOAuthErrors(SERVER, () => againWithNonce(() => send(left)));
  return mapOAuthErrors(SERVER, async () => {
    const tokens = await sendWithout({}).catch((error) => {
      const refused = optional.find((name) => all[name] !== undefined && refuses(error, name));
      if (refused === undefined) throw error;
      return sendWithout({ [refused]: undefined });
    });
    // A server that does not rotate refresh tokens omits it.
    return toStored({ refresh_token: given["refresh_token"], scope, ...tokens }, context);
  });
}

/** The error codes of servers that refuse a parameter (RFC 8707, section 2; RFC 6749, section 5.2). */
const REFUSED: Readonly<Record<Refusable, RegExp>> = {
  resource: /^invalid_(target|resource)/,
  scope: /^invalid_scope/,
};

type Refusable = "resource" | "scope";

function refuses(error: unknown, parameter: Refusable): boolean {
  return error instanceof AuthorizationServerError && REFUSED[parameter].test(error.code);
}

/** The used members of an answer; others, such as an ID token or a non-standard type, are dropped. */
export function normalizeTokens(response: Response): Promise<Response> {
  return normalizeResponse(response, 200, (found) => {
    const { access_token, refresh_token, issued_token_type, token_type, expires_in, scope } = found;
    const seconds = Number.parseFloat(String(expires_in));
    return {
      ...{ access_token, refresh_token, issued_token_type },
      token_type: /^dpop$/i.test(String(token_type)) ? "dpop" : "bearer",
      expires_in: seconds >= 0 ? seconds : undefined,
      scope: Array.isArray(scope) ? scope.join(" ") : scope,
    };
  });
}

function hasValue(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}

/** An authorization server may require a nonce in the proof (RFC 9449, section 8). */
async function againWithNonce<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isDPoPNonceError(error)) throw error;
    return send();
  }
}

export function requestOptions({
  fetch,
  proofs,
}: Pick<TokenContext, "fetch" | "proofs">): TokenEndpointRequestOptions {
  return {
    [customFetch]: fetch,
    ...(proofs && { DPoP: proofs.handle }),
    // Our own rule for addresses was applied before: it allows http only on this machine.
    [allowInsecureRequests]: true,
  };
}

/** The members of a `TokenEndpointResponse` that are read. */
interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string | undefined;
  readonly expires_in?: number | undefined;
  readonly scope?: string | undefined;
}

function toStored(
  tokens: TokenAnswer,
  { server, client: { clientId }, proofs, redact }: TokenContext,
): StoredTokens {
  const isBound = tokens.token_type === "dpop";
  if (isBound ? proofs === undefined : server.wantsProofs) {
    const what = isBound ? "has bound its tokens to a key unasked" : "has not bound its tokens";
    throw unauthorized(`${server.issuer} ${what}`);
  }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
  // `fetch` would refuse it later, with an error that contains it.
  if (!/^[!-~]+$/.test(accessToken)) {
    throw unauthorized(`${server.issuer} gave a token that no header can have`);
  }
  return {
    accessToken,
    clientId,
    refreshToken,
    expiresAtMs: seconds === undefined ? undefined : Date.now() + seconds * 1_000,
    // It becomes part of the address of a later login.
    scope: redactionOf([accessToken, ...(refreshToken ? [refreshToken] : [])])(
      redact(tokens.scope),
    ),
    key: isBound ? proofs?.key : undefined,
  };
}
