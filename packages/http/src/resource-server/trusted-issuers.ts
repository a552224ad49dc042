import { isLoopbackName } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import {
  type AuthorizationServer,
  allowInsecureRequests,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import { CredentialsError } from "./credentials-error.ts";
import type { TrustedIssuer } from "./trusted-issuer.ts";

/** An issuer after its metadata was read. */
export interface KnownIssuer extends TrustedIssuer {
  readonly metadata: AuthorizationServer;
  /** Undefined if it publishes no keys. */
  readonly keys: JWTVerifyGetKey | undefined;
}

const TIMEOUT_MS = 10_000;

/** Issuers by name; the metadata of each is read once, when its first token arrives. */
export class TrustedIssuers {
  readonly names: readonly string[];
  readonly #issuers: ReadonlyMap<string, TrustedIssuer>;
  /** The issuers with introspection, the longest prefix first. */
  readonly #introspecting: readonly TrustedIssuer[];
  readonly #known = new Map<string, Promise<KnownIssuer>>();

  /**
   * @throws IdewireError `invalid-argument` for an empty list, an invalid address, or two issuers with the same
   * prefix
   */
  constructor(issuers: readonly (string | TrustedIssuer)[]) {
    const all = issuers.map((each) => (typeof each === "string" ? { issuer: each } : each));
    this.names = all.map(({ issuer }) => issuer);
    this.#issuers = new Map(all.map((each) => [each.issuer, each]));
    this.#introspecting = introspectingIssuers(all);
    const wrong = this.names.find((name) => !URL.canParse(name));
    if (wrong === undefined && all.length > 0) return;
    const seen = wrong ?? "none";
    throw new IdewireError("invalid-argument", `issuers: expected addresses, got ${seen}`);
  }

  /** The issuer of an opaque token: the one with the longest matching prefix. */
  introspectionFor(token: string): TrustedIssuer | undefined {
    return this.#introspecting.find(({ introspection }) =>
      token.startsWith(introspection?.tokenPrefix ?? ""),
    );
  }

  /** @throws CredentialsError for another issuer, and while it is unreachable */
  get(name: unknown): Promise<KnownIssuer> {
    const issuer = typeof name === "string" ? this.#issuers.get(name) : undefined;
    if (issuer === undefined) {
      return Promise.reject(
        new CredentialsError("invalid_token", "The token is from another issuer"),
      );
    }
    const known = this.#known.get(issuer.issuer) ?? this.#read(issuer);
    this.#known.set(issuer.issuer, known);
    return known;
  }

  #read(issuer: TrustedIssuer): Promise<KnownIssuer> {
    return readIssuer(issuer).catch((cause) => {
      this.#known.delete(issuer.issuer);
      throw unavailable(cause);
    });
  }
}

function introspectingIssuers(all: readonly TrustedIssuer[]): readonly TrustedIssuer[] {
  const prefixOf = ({ introspection }: TrustedIssuer) => introspection?.tokenPrefix ?? "";
  const introspecting = all
    .filter(({ introspection }) => introspection !== undefined)
    .sort((one, other) => prefixOf(other).length - prefixOf(one).length);
  for (const [index, one] of introspecting.entries()) {
    const other = introspecting.slice(index + 1).find((each) => prefixOf(each) === prefixOf(one));
    if (other === undefined) continue;
    const what = `${one.issuer} and ${other.issuer} are asked about the same tokens`;
    throw new IdewireError("invalid-argument", `issuers: ${what}: give each a tokenPrefix`);
  }
  return introspecting;
}

/** An unreachable issuer is not the token's fault. */
export function unavailable(cause: unknown): CredentialsError {
  return new CredentialsError("unavailable", "The authorization server is unavailable", { cause });
}

async function readIssuer(issuer: TrustedIssuer): Promise<KnownIssuer> {
  const metadata = await readMetadata(new URL(issuer.issuer), issuer.issuer);
  return { ...issuer, metadata, keys: keysAt(metadata.jwks_uri, new URL(issuer.issuer)) };
}

/** Keys fetched without TLS could be anybody's. */
function keysAt(place: string | undefined, issuer: URL): JWTVerifyGetKey | undefined {
  if (place === undefined) return undefined;
  const url = new URL(place);
  if (url.protocol !== "https:" && !(isLoopback(url) && isLoopback(issuer))) {
    throw new Error(`The metadata names keys without TLS, at ${place}`);
  }
  return createRemoteJWKSet(url, { timeoutDuration: TIMEOUT_MS });
}

/** RFC 8414, else OpenID Connect Discovery; the issuer in it must be the requested one. */
async function readMetadata(url: URL, name: string): Promise<AuthorizationServer> {
  let first: unknown;
  for (const algorithm of ["oauth2", "oidc"] as const) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const options = { algorithm, signal, [allowInsecureRequests]: isLoopback(url) };
      const found = await processDiscoveryResponse(url, await discoveryRequest(url, options));
      if (found.issuer === name) return found;
      throw new Error(`The metadata names the issuer ${found.issuer}, not ${name}`);
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/** Without TLS only on this machine. */
export function isLoopback({ hostname, protocol }: URL): boolean {
  return protocol === "http:" && isLoopbackName(hostname);
}
