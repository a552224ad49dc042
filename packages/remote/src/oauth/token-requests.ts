import { IdewireError } from "@idewire/core";
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clientCredentialsGrantRequest,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomState,
  isDPoPNonceError,
  None,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi";
import type { Fetch } from "../web-types.ts";
import type { ClientCredentials, StoredTokens } from "./credentials.ts";
import { type DiscoveredServer, toStrings } from "./discovery.ts";
import type { KeyProofs } from "./dpop.ts";
import type { MachineCredentials, RedirectTarget } from "./options.ts";

/** What all requests for tokens need. */
export interface TokenContext {
  readonly server: DiscoveredServer;
  readonly client: ClientCredentials;
  readonly fetch: Fetch;
  /** By the key that the tokens are bound to. */
  readonly proofs: KeyProofs | undefined;
}

/**
 * A refusal of the authorization server, with its code: `invalid_client`, `invalid_grant`. Its cause is left
 * out, as it holds what was sent.
 */
export class OAuthRefusal extends Error {
  readonly code: string;

  constructor(code: string, description: string | undefined) {
    super(clean(`${code}${description === undefined ? "" : `: ${description}`}`));
    this.name = "OAuthRefusal";
    this.code = code;
  }
}

/** Has the person log in, and exchanges the code (OAuth 2.1, Authorization Code Grant, with PKCE). */
export async function requestByCode(
  context: TokenContext,
  target: RedirectTarget,
  scope: string | undefined,
): Promise<StoredTokens> {
  const { server, client, proofs } = context;
  const { metadata, resource } = server;
  const verifier = generateRandomCodeVerifier();
  const state = generateRandomState();
  const url = new URL(metadata.authorization_endpoint ?? `${server.issuer}/authorize`);
  const parameters = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: target.uri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    ...(scope !== undefined && { scope }),
    // OpenID Connect gives a refresh token only to a person who has consented.
    ...(scope?.split(" ").includes("offline_access") && { prompt: "consent" }),
    ...(resource !== undefined && { resource }),
    // Nobody else can use the code.
    ...(proofs && { dpop_jkt: await proofs.handle.calculateThumbprint() }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const back = new URL(await target.visit(url.href));
  return refusing(async () => {
    const as = { ...metadata };
    const known: Client = { client_id: client.clientId };
    // Compares state and iss before anything else, in refusals too.
    const answer = validateAuthResponse(as, known, back, state);
    const tokens = await againWithNonce(async () => {
      const response = await authorizationCodeGrantRequest(
        as,
        known,
        authentication(client, server),
        answer,
        target.uri,
        verifier,
        requestOptions(context, resource),
      );
      return processAuthorizationCodeResponse(as, known, response);
    });
    return toStored(tokens, context, scope);
  });
}

/** Exchanges a refresh token. */
export function requestByRefresh(
  context: TokenContext,
  { refreshToken = "", scope }: StoredTokens,
): Promise<StoredTokens> {
  const { server, client } = context;
  return refusing(async () => {
    const known: Client = { client_id: client.clientId };
    const tokens = await againWithNonce(async () => {
      const response = await refreshTokenGrantRequest(
        server.metadata,
        known,
        authentication(client, server),
        refreshToken,
        requestOptions(context, server.resource),
      );
      return processRefreshTokenResponse(server.metadata, known, response);
    });
    // A server that does not rotate it leaves it out.
    return { refreshToken, ...toStored(tokens, context, scope) };
  });
}

/** Authorizes the program itself (MCP 2025-11-25, SEP-1046). */
export function requestByClient(
  context: Omit<TokenContext, "client">,
  machine: MachineCredentials,
  scope: string | undefined,
): Promise<StoredTokens> {
  const { server } = context;
  return refusing(async () => {
    const known: Client = { client_id: machine.clientId };
    const auth =
      machine.privateKey === undefined
        ? authentication(machine, server)
        : // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- with Node's types, the library's key is another
          PrivateKeyJwt(machine.privateKey as never);
    const parameters = new URLSearchParams(scope === undefined ? {} : { scope });
    if (server.resource !== undefined) parameters.set("resource", server.resource);
    const tokens = await againWithNonce(async () => {
      const response = await clientCredentialsGrantRequest(
        server.metadata,
        known,
        auth,
        parameters,
        requestOptions(context),
      );
      return processClientCredentialsResponse(server.metadata, known, response);
    });
    return toStored(tokens, { ...context, client: machine }, scope);
  });
}

/** An authorization server may want a nonce of its own in the proof (RFC 9449, section 8). */
async function againWithNonce<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isDPoPNonceError(error)) throw error;
    return send();
  }
}

function requestOptions({ fetch, proofs }: Omit<TokenContext, "client">, resource?: string) {
  return {
    [customFetch]: fetch as never,
    ...(proofs && { DPoP: proofs.handle }),
    // Our own rule about addresses has been applied, which lets http pass on this machine alone.
    [allowInsecureRequests]: true,
    ...(resource !== undefined && { additionalParameters: { resource } }),
  };
}

function authentication(client: ClientCredentials, { metadata }: DiscoveredServer): ClientAuth {
  const { clientSecret, authMethod } = client;
  if (clientSecret === undefined || authMethod === "none") return None();
  const supported = toStrings(metadata.token_endpoint_auth_methods_supported);
  const method = authMethod ?? preferred(supported);
  return method === "client_secret_post" ? ClientSecretPost(clientSecret) : basic(clientSecret);
}

/**
 * `client_secret_basic` (RFC 6749, section 2.3.1), with no more characters escaped than forms need: few servers
 * take the escapes back.
 */
function basic(clientSecret: string): ClientAuth {
  const encode = (value: string) => new URLSearchParams({ "": value }).toString().slice(1);
  return (_, client, __, headers) => {
    const pair = `${encode(client.client_id)}:${encode(clientSecret)}`;
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}

/** RFC 8414: without a list it is `client_secret_basic`. */
function preferred(supported: readonly string[] = ["client_secret_basic"]): string {
  return supported.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post";
}

function toStored(
  tokens: TokenEndpointResponse,
  { server, client: { clientId }, proofs }: TokenContext,
  asked: string | undefined,
): StoredTokens {
  const isBound = tokens.token_type === "dpop";
  if (isBound ? proofs === undefined : server.wantsProofs) {
    const what = isBound ? "has bound its tokens to a key unasked" : "has not bound its tokens";
    throw new IdewireError("unauthorized", `${server.issuer} ${what}`);
  }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = tokens;
  const scope = tokens.scope ?? asked;
  return {
    accessToken,
    clientId,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(seconds !== undefined && { expiresAtMs: Date.now() + seconds * 1_000 }),
    ...(scope !== undefined && { scope }),
    ...(isBound && { key: proofs?.key }),
  };
}

/** Says what the server has refused in its own words, and never what was sent. */
export async function refusing<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof IdewireError) throw error;
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
      throw new OAuthRefusal(error.error, error.error_description);
    }
    const words = error instanceof Error ? error.message : "the answer is invalid";
    throw new IdewireError("unauthorized", `The authorization server: ${clean(words)}`);
  }
}

function clean(words: string): string {
  return words.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 300);
}
