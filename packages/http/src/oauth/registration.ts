import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import {
  allowInsecureRequests,
  customFetch,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
} from "oauth4webapi";
import type { Fetch } from "../web-types.ts";
import { isClientMetadataUrl } from "./client-metadata-url.ts";
import type { ClientCredentials, RegisteredClient } from "./credentials.ts";
import { type DiscoveredServer, isSameIssuer, toStrings } from "./discovery.ts";
import { normalizeResponse } from "./document.ts";
import { AuthorizationServerError, mapOAuthErrors, SERVER, unauthorized } from "./errors.ts";
import type { OAuthOptions } from "./options.ts";

/** The client that needs no registration: registered by hand, or known by its metadata document. */
export function knownClient(
  { issuer, metadata }: Pick<DiscoveredServer, "issuer" | "metadata">,
  { clients = {}, clientMetadataUrl }: Pick<OAuthOptions, "clients" | "clientMetadataUrl">,
): ClientCredentials | undefined {
  const given = clientOf(issuer, clients) ?? clients["*"];
  if (given !== undefined) return given;
  const takesDocuments = metadata["client_id_metadata_document_supported"] === true;
  if (!takesDocuments || clientMetadataUrl === undefined) return undefined;
  return { clientId: clientMetadataUrl, authMethod: "none" };
}

/** The client given for an issuer. */
export function clientOf(
  issuer: string,
  clients: OAuthOptions["clients"] = {},
): ClientCredentials | undefined {
  return Object.entries(clients).find(([name]) => isSameIssuer(name, issuer))?.[1];
}

/** @throws IdewireError `invalid-argument` for a secret without its issuer, or a wrong metadata address */
export function requireClients({
  clients,
  clientCredentials,
  clientMetadataUrl,
}: Pick<OAuthOptions, "clients" | "clientCredentials" | "clientMetadataUrl">): void {
  if (clientMetadataUrl !== undefined && !isClientMetadataUrl(clientMetadataUrl)) {
    const seen = describeValue(clientMetadataUrl);
    const text = `clientMetadataUrl: expected an https address with a path, got ${seen}`;
    throw new IdewireError("invalid-argument", text);
  }
  if (clients?.["*"]?.clientSecret !== undefined) {
    const text = 'clients: expected the issuer of the secret in place of "*"';
    throw new IdewireError("invalid-argument", text);
  }
  if (clientCredentials !== undefined && !URL.canParse(clientCredentials.issuer)) {
    const seen = describeValue(clientCredentials.issuer);
    const text = `clientCredentials.issuer: expected an address, got ${seen}`;
    throw new IdewireError("invalid-argument", text);
  }
}

/** The grant type of device authorization (RFC 8628, section 3.4). */
export const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

interface RegistrationOptions {
  readonly clientName: string | undefined;
  /** The scopes that will be requested: some servers refuse others later. */
  readonly scope: string | undefined;
  readonly fetch: Fetch;
}

/** The error codes of servers that refuse the scopes of a registration; the last is that of Keycloak. */
const REFUSES_SCOPES: ReadonlySet<string> = new Set([
  ...["invalid_client_metadata", "invalid_scope", "insufficient_scope"],
]);

/**
 * Registers a native client (RFC 7591) for all scopes that the server supports, so that a later step-up needs no other
 * client; for the requested ones, or without scopes, where the server refuses those.
 * @param redirectUri undefined to log in by device authorization (RFC 8628)
 * @throws IdewireError `unauthorized` when the server offers no registration, or refuses this one
 */
export async function register(
  server: DiscoveredServer,
  redirectUri: string | undefined,
  options: RegistrationOptions,
): Promise<RegisteredClient> {
  for (const scope of new Set([supportedScope(server, options.scope), options.scope])) {
    if (scope === undefined) continue;
    try {
      return { ...(await requestClient(server, redirectUri, { ...options, scope })), scope };
    } catch (error) {
      if (!(error instanceof AuthorizationServerError && REFUSES_SCOPES.has(error.code)))
        throw error;
    }
  }
  const client = await requestClient(server, redirectUri, { ...options, scope: undefined });
  return options.scope === undefined ? client : { ...client, scope: options.scope };
}

/** All scopes that a server supports, with the requested ones; undefined if it names none. */
function supportedScope(
  { metadata }: DiscoveredServer,
  requested: string | undefined,
): string | undefined {
  const supported = toStrings(metadata.scopes_supported) ?? [];
  if (supported.length === 0) return undefined;
  const own = (requested ?? "").split(" ").filter(Boolean);
  return [...new Set([...own, ...supported])].join(" ");
}

/** The status is the cause. */
function noRegistration(issuer: string, endpoint: string | undefined): IdewireError {
  const text = `${issuer} registers no clients: HTTP 404 at ${endpoint}`;
  return new IdewireError("unauthorized", text, { cause: 404 });
}

async function requestClient(
  { issuer, metadata }: DiscoveredServer,
  redirectUri: string | undefined,
  { clientName = "idewire", scope, fetch }: RegistrationOptions,
): Promise<RegisteredClient> {
  if (metadata.registration_endpoint === undefined) {
    const what = "takes no registrations: register a client there, and give its id as clients";
    throw unauthorized(`${issuer} ${what}`);
  }
  const supported = toStrings(metadata.token_endpoint_auth_methods_supported) ?? ["none"];
  const order = ["none", "client_secret_basic", "client_secret_post"];
  return mapOAuthErrors(SERVER, async () => {
    const wanted = {
      client_name: clientName,
      redirect_uris: redirectUri === undefined ? [] : [redirectUri],
      grant_types: [
        redirectUri === undefined ? DEVICE_CODE : "authorization_code",
        "refresh_token",
      ],
      response_types: redirectUri === undefined ? [] : ["code"],
      token_endpoint_auth_method: order.find((method) => supported.includes(method)) ?? "none",
      application_type: "native",
      ...(scope !== undefined && { scope }),
    };
    // Our own rule for addresses was applied before.
    const options = { [customFetch]: fetch, [allowInsecureRequests]: true };
    const response = await dynamicClientRegistrationRequest(metadata, wanted, options);
    // As where the server itself is asked, because it names no authorization server.
    if (response.status === 404) throw noRegistration(issuer, metadata.registration_endpoint);
    // A secret without an expiry does not expire.
    const normal = await normalizeResponse(response, 201, (found) => ({
      ...found,
      client_secret_expires_at: 0,
    }));
    const client = await processDynamicClientRegistrationResponse(normal);
    const { client_id: clientId, client_secret: clientSecret } = client;
    const { token_endpoint_auth_method: authMethod } = client;
    return {
      clientId,
      ...(redirectUri !== undefined && { redirectUri }),
      ...(typeof clientSecret === "string" && { clientSecret }),
      ...(typeof authMethod === "string" && { authMethod }),
    };
  });
}
