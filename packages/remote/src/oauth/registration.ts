import type { Fetch } from "../web-types.ts";
import type { ClientCredentials, RegisteredClient } from "./credentials.ts";
import { type DiscoveredServer, toStrings } from "./discovery.ts";
import { parseObject } from "./document.ts";
import type { OAuthOptions } from "./options.ts";
import { OAuthRefusal, refusing, SERVER, unauthorized } from "./refusals.ts";

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
  const { registration_endpoint: endpoint } = metadata;
  if (endpoint === undefined) {
    const what = "takes no registrations: register a client there, and give its id as clients";
    throw unauthorized(`${issuer} ${what}`);
  }
  const supported = toStrings(metadata.token_endpoint_auth_methods_supported) ?? ["none"];
  const order = ["none", "client_secret_basic", "client_secret_post"];
  return refusing(SERVER, async () => {
    const wanted = {
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: order.find((method) => supported.includes(method)) ?? "none",
      application_type: "native",
    };
    // A form of JSON: the library's code for it takes more room than it saves.
    const headers = { accept: "application/json", "content-type": "application/json" };
    const body = JSON.stringify(wanted);
    return readClient(await fetch(endpoint, { method: "POST", headers, body }), redirectUri);
  });
}

/** More lenient than the library: servers that leave out when the secret ends are too many. */
async function readClient(response: Response, redirectUri: string): Promise<RegisteredClient> {
  const {
    client_id: clientId,
    client_secret: secret,
    token_endpoint_auth_method: method,
    ...rest
  } = parseObject(await response.text()) ?? {};
  if (!response.ok || typeof clientId !== "string") {
    const { error = `HTTP ${response.status} without a client_id`, error_description: words } =
      rest;
    const described = typeof words === "string" ? words : undefined;
    throw new OAuthRefusal(String(error), described, response.status);
  }
  return {
    clientId,
    redirectUri,
    ...(typeof secret === "string" && { clientSecret: secret }),
    ...(typeof method === "string" && { authMethod: method }),
  };
}
