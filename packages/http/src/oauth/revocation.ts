import { describeValue } from "@idewire/core/internal";
import { processRevocationResponse, revocationRequest } from "oauth4webapi";
import { checkAddress } from "./addresses.ts";
import { authentication } from "./client-authentication.ts";
import type { StoredCredentials, StoredTokens } from "./credentials.ts";
import { findMetadata } from "./discovery.ts";
import { boundedFetch } from "./document.ts";
import { AuthorizationServerError, mapOAuthErrors, SERVER, unauthorized } from "./errors.ts";
import type { OAuthOptions } from "./options.ts";
import { knownClient, requireClients } from "./registration.ts";
import { requestOptions } from "./token-requests.ts";

/** The options of `createOAuth` with which the tokens were obtained. */
export type LogoutOptions = Pick<
  OAuthOptions,
  "url" | "store" | "clients" | "clientMetadataUrl" | "fetch" | "timeoutMs"
>;

/** The outcome for the tokens of a server; the store holds none in any case. */
export type LogoutOutcome =
  | { readonly kind: "not-logged-in" }
  | { readonly kind: "revoked" }
  /** They remain valid until they expire, for anyone with a copy. */
  | { readonly kind: "not-revoked"; readonly reason: Error };

/**
 * Asks the authorization server to revoke the tokens for an MCP server (RFC 7009), and removes its stored
 * credentials, whatever the authorization server answers.
 * @throws IdewireError `invalid-argument` for a secret without its issuer; what the store throws
 */
export function logOut(options: LogoutOptions): Promise<LogoutOutcome> {
  const { url, store } = options;
  requireClients(options);
  return store.exclusively(url, async () => {
    const kept = await store.read(url);
    try {
      if (kept?.tokens === undefined) return { kind: "not-logged-in" };
      await revoke(kept, kept.tokens, options);
      return { kind: "revoked" };
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(describeValue(error));
      return { kind: "not-revoked", reason };
    } finally {
      await store.write(url, undefined);
    }
  });
}

async function revoke(
  { issuer, client }: StoredCredentials,
  { accessToken, refreshToken, clientId }: StoredTokens,
  options: LogoutOptions,
): Promise<void> {
  const server = new URL(options.url);
  const fetch = boundedFetch(options.fetch, options.timeoutMs);
  const metadata = await findMetadata(issuer, server, fetch);
  const endpoint = metadata.revocation_endpoint;
  if (endpoint === undefined) throw unauthorized(`${issuer} revokes no tokens`);
  checkAddress("revocation_endpoint", endpoint, server);
  const known = client ?? knownClient({ issuer, metadata }, options);
  const auth = authentication(known ?? { clientId }, metadata);
  // The refresh token, by which others can be obtained, comes first.
  for (const token of [refreshToken, accessToken]) {
    if (token === undefined) continue;
    try {
      await mapOAuthErrors(SERVER, async () => {
        const request = requestOptions({ fetch, proofs: undefined });
        const given = { client_id: clientId };
        const response = await revocationRequest(metadata, given, auth, token, request);
        await processRevocationResponse(response);
      });
    } catch (error) {
      // Some servers cannot revoke access tokens: these expire after the refresh token is revoked.
      const isBound = token === accessToken && refreshToken !== undefined;
      const isUnsupported =
        error instanceof AuthorizationServerError && error.code === "unsupported_token_type";
      if (!isBound || !isUnsupported) throw error;
    }
  }
}
