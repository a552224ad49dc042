import { describeValue } from "@idewire/core/internal";
import type { AuthorizationServer } from "oauth4webapi";
import type { Fetch } from "../web-types.ts";
import { checkAddress } from "./addresses.ts";
import type { Challenge } from "./challenge.ts";
import { fetchFirst } from "./document.ts";
import { unauthorized } from "./errors.ts";

/** An MCP server's statement about its authorization. */
export interface DiscoveredServer {
  readonly issuer: string;
  /** The address of the MCP server's metadata. */
  readonly resourceMetadata: string | undefined;
  /** Sent as the `resource` of requests; undefined for a server without metadata. */
  readonly resource: string | undefined;
  readonly scopesSupported: readonly string[] | undefined;
  /** Whether it accepts tokens that are bound to a key (RFC 9728, section 2). */
  readonly acceptsProofs: boolean;
  /** Whether it accepts no others. */
  readonly wantsProofs: boolean;
  readonly metadata: AuthorizationServer;
}

/**
 * Finds the authorization server of an MCP server (RFC 9728, then RFC 8414 or OpenID Connect Discovery; for
 * servers of MCP 2025-03-26 their own origin).
 * @throws IdewireError `unauthorized` for metadata of another resource or issuer, or with PKCE but not by S256
 */
export async function discover(
  server: URL,
  challenge: Challenge,
  fetch: Fetch,
): Promise<DiscoveredServer> {
  const { found, place } = (await findResource(server, challenge, fetch)) ?? {};
  const [named] = toStrings(found?.["authorization_servers"]) ?? [];
  const isNamed = named !== undefined;
  const metadata = isNamed
    ? await findMetadata(named, server, fetch)
    : ((await lookForMetadata(server.origin, server, fetch)) ?? defaultsOf(server.origin));
  checkPkce(metadata);
  // Without an authorization server the metadata is of no use.
  const about = isNamed ? found : undefined;
  const wantsProofs = about?.["dpop_bound_access_tokens_required"] === true;
  const verified = toStrings(about?.["dpop_signing_alg_values_supported"]) ?? [];
  return {
    issuer: metadata.issuer,
    resourceMetadata: about && place?.href,
    resource: about?.["resource"] as string | undefined,
    scopesSupported: toStrings(about?.["scopes_supported"]),
    acceptsProofs: wantsProofs || verified.length > 0 || challenge.acceptsProofs === true,
    wantsProofs,
    metadata,
  };
}

async function findResource(server: URL, challenge: Challenge, fetch: Fetch) {
  const wellKnown = "/.well-known/oauth-protected-resource";
  const path = server.pathname.replace(/\/$/, "");
  const places = [`${server.origin}${wellKnown}${path}`, `${server.origin}${wellKnown}`];
  const named = challenge.resource_metadata;
  const urls = new Set(named === undefined ? places : [named, ...places]);
  const checked = [...urls].map((url) => checkAddress("resource_metadata", url, server));
  const first = await fetchFirst(fetch, checked);
  if (first === undefined || isFor(first.found["resource"], server)) return first;
  const seen = describeValue(first.found["resource"]);
  throw unauthorized(`${first.place.href} is for ${seen}, not for ${server.href}`);
}

/** Whether a resource is the server, or contains it. */
function isFor(resource: unknown, server: URL): boolean {
  if (typeof resource !== "string" || !URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  if (origin !== server.origin) return false;
  return `${server.pathname}/`.startsWith(pathname.endsWith("/") ? pathname : `${pathname}/`);
}

/**
 * The metadata of an issuer.
 * @param server the MCP server on whose behalf it is requested
 * @throws IdewireError `unauthorized` when there is none, or it belongs to another issuer
 */
export async function findMetadata(
  issuer: string,
  server: URL,
  fetch: Fetch,
): Promise<AuthorizationServer> {
  const metadata = await lookForMetadata(issuer, server, fetch);
  if (metadata !== undefined) return metadata;
  throw unauthorized(`${issuer} has no metadata of an authorization server`);
}

/** Tries all well-known addresses of an issuer's metadata, in the order of MCP 2025-11-25. */
async function lookForMetadata(
  issuer: string,
  server: URL,
  fetch: Fetch,
): Promise<AuthorizationServer | undefined> {
  const { origin, pathname } = checkAddress("authorization server", issuer, server);
  const path = pathname.replace(/\/$/, "");
  const [oauth, oidc] = [
    ".well-known/oauth-authorization-server",
    ".well-known/openid-configuration",
  ];
  const places = [`${origin}/${oauth}${path}`, `${origin}/${oidc}${path}`];
  if (path !== "") places.push(`${origin}${path}/${oidc}`);
  const urls = places.map((place) => new URL(place));
  const first = await fetchFirst(fetch, urls);
  return first && checkMetadata(first.found, issuer, server);
}

const ENDPOINTS = [
  ...["authorization_endpoint", "token_endpoint", "registration_endpoint"],
  "device_authorization_endpoint",
];

function checkMetadata(
  found: Readonly<Record<string, unknown>>,
  issuer: string,
  server: URL,
): AuthorizationServer {
  if (!isSameIssuer(found["issuer"], issuer)) {
    const seen = describeValue(found["issuer"]);
    throw unauthorized(`The metadata of ${issuer} names the issuer ${seen}`);
  }
  for (const name of ENDPOINTS) {
    if (found[name] !== undefined) checkAddress(name, found[name], server);
  }
  return found as unknown as AuthorizationServer;
}

/** Whether two texts name one issuer: many servers are inconsistent about the final slash. */
export function isSameIssuer(one: unknown, other: string): boolean {
  return typeof one === "string" && one.replace(/\/$/, "") === other.replace(/\/$/, "");
}

/** Many servers list no methods but support S256, which is sent anyway. */
function checkPkce({
  issuer,
  authorization_endpoint: endpoint,
  code_challenge_methods_supported: supported,
}: AuthorizationServer): void {
  const methods = toStrings(supported) ?? [];
  if (endpoint === undefined || methods.length === 0 || methods.includes("S256")) return;
  throw unauthorized(`${issuer} must support PKCE by S256; it names ${methods.join(", ")}`);
}

function defaultsOf(origin: string): AuthorizationServer {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
}

/** The strings of a list; undefined for anything else. */
export function toStrings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}
