import {
  allowInsecureRequests,
  customFetch,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
} from "oauth4webapi";
import { parseObject } from "../client/parse-object.ts";
import type { Fetch } from "../web-types.ts";
import type { ClientCredentials, RegisteredClient } from "./credentials.ts";
import { type DiscoveredServer, toStrings } from "./discovery.ts";
import { mapOAuthErrors, SERVER, unauthorized } from "./errors.ts";
import type { OAuthOptions } from "./options.ts";

/** The client that is known without registering one: by hand, or by its metadata document. */
export function knownClient(
  { issuer, metadata }: Pick<DiscoveredServer, "issuer" | "metadata">,
  { clients = {}, clientMetadataUrl }: Pick<OAuthOptions, "clients" | "clientMetadataUrl">,
): ClientCredentials | undefined {
  const given = [issuer, "*"].find((name) => Object.hasOwn(clients, name));
  if (given !== undefined) return clients[given];
  const takesDocuments = metadata["client_id_metadata_document_supported"] === true;
  if (!takesDocuments || clientMetadataUrl === undefined) return undefined;
  return { clientId: clientMetadataUrl, authMethod: "none" };
}

interface RegistrationOptions {
  readonly clientName: string | undefined;
  readonly fetch: Fetch;
}

/**
 * Registers a native client (RFC 7591).
 * @throws IdewireError `unauthorized` when the server takes no registrations, or refuses this one
 */
export async function register(
  { issuer, metadata }: DiscoveredServer,
  redirectUri: string,
  { clientName = "idewire", fetch }: RegistrationOptions,
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
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: order.find((method) => supported.includes(method)) ?? "none",
      application_type: "native",
    };
    // Our own rule about addresses has been applied.
    const options = { [customFetch]: fetch, [allowInsecureRequests]: true };
    const response = await dynamicClientRegistrationRequest(metadata, wanted, options);
    const client = await processDynamicClientRegistrationResponse(await conforming(response));
    const { client_id: clientId, client_secret: clientSecret } = client;
    const { token_endpoint_auth_method: authMethod } = client;
    return {
      clientId,
      redirectUri,
      ...(typeof clientSecret === "string" && { clientSecret }),
      ...(typeof authMethod === "string" && { authMethod }),
    };
  });
}

/** As RFC 7591 wants it: servers that answer 200, or leave out when a secret ends, are too many. */
async function conforming(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const body = JSON.stringify({
    ...parseObject(await response.text()),
    client_secret_expires_at: 0,
  });
  return new Response(body, { status: 201, headers: { "content-type": "application/json" } });
}
