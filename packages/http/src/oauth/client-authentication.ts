import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretPost,
  None,
  PrivateKeyJwt,
} from "oauth4webapi";
import type { ClientCredentials } from "./credentials.ts";
import { toStrings } from "./discovery.ts";
import type { MachineCredentials } from "./options.ts";

const CLIENT_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Authenticates the client by a key, a platform's assertion, or a secret. */
export async function authenticationOf(
  machine: MachineCredentials,
  metadata: AuthorizationServer,
): Promise<ClientAuth> {
  const { privateKey, clientAssertion } = machine;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- with Node's types, the library's key is another
  if (privateKey !== undefined) return PrivateKeyJwt(privateKey as never);
  if (clientAssertion === undefined) return authentication(machine, metadata);
  const assertion = await obtained("clientAssertion", clientAssertion);
  return (_, client, body) => {
    body.set("client_id", client.client_id);
    body.set("client_assertion", assertion);
    body.set("client_assertion_type", CLIENT_ASSERTION);
  };
}

/**
 * The result of an application's function, trimmed, as it may come from a file that ends with a newline.
 * @throws IdewireError `unauthorized` in place of the error that it throws
 */
export async function obtained(
  what: string,
  obtain: () => string | Promise<string>,
): Promise<string> {
  try {
    return (await obtain()).trim();
  } catch (error) {
    if (error instanceof IdewireError) throw error;
    const words = error instanceof Error ? error.message : describeValue(error);
    throw new IdewireError("unauthorized", `${what} has failed: ${words}`, { cause: error });
  }
}

/** Authenticates the client by a secret, or not at all. */
export function authentication(
  client: ClientCredentials,
  metadata: AuthorizationServer,
): ClientAuth {
  const { clientSecret, authMethod } = client;
  if (clientSecret === undefined || authMethod === "none") return None();
  const supported = toStrings(metadata.token_endpoint_auth_methods_supported);
  const method = authMethod ?? preferred(supported);
  return method === "client_secret_post" ? ClientSecretPost(clientSecret) : basic(clientSecret);
}

/**
 * `client_secret_basic` (RFC 6749, section 2.3.1), with no more characters escaped than forms require: few servers
 * unescape the others.
 */
function basic(clientSecret: string): ClientAuth {
  const encode = (value: string) => new URLSearchParams({ "": value }).toString().slice(1);
  return (_, client, __, headers) => {
    const pair = `${encode(client.client_id)}:${encode(clientSecret)}`;
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}

/** RFC 8414: `client_secret_basic` is the default without a list. */
function preferred(supported: readonly string[] = ["client_secret_basic"]): string {
  return supported.includes("client_secret_basic") ? "client_secret_basic" : "client_secret_post";
}
