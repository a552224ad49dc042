import { IdewireError } from "@idewire/core";
import type { Fetch } from "../web-types.ts";
import type { Challenge } from "./challenge.ts";
import type { ClientCredentials, StoredCredentials, StoredTokens } from "./credentials.ts";
import type { DiscoveredServer } from "./discovery.ts";
import type { KeyProofs } from "./dpop.ts";
import type { OAuthOptions, RedirectTarget } from "./options.ts";
import { knownClient, register } from "./registration.ts";
import { OAuthRefusal, requestByClient, requestByCode } from "./token-requests.ts";

/** Why new tokens are wanted. */
export interface Need {
  /** What was refused, or is about to end. */
  readonly refused: StoredTokens | undefined;
  readonly challenge: Challenge;
  readonly mayLogIn: boolean;
  /** More scopes are wanted, which a refresh does not give. */
  readonly needsMore?: boolean;
}

/** Where new tokens come from, and what for. */
export interface Login {
  readonly server: DiscoveredServer;
  /** What is kept of this authorization server. */
  readonly own: StoredCredentials | undefined;
  readonly need: Need;
  readonly options: OAuthOptions;
  readonly fetch: Fetch;
  readonly proofs: KeyProofs | undefined;
}

/** What a login has given. */
export type LoggedIn = Pick<StoredCredentials, "client" | "tokens">;

/**
 * Obtains tokens without those that there are: from the person, or by what the program itself has.
 * @throws IdewireError `unauthorized`; what the redirect target throws
 */
export async function logIn(login: Login): Promise<LoggedIn> {
  const { clientCredentials, openRedirectTarget, url } = login.options;
  if (clientCredentials !== undefined) {
    const scope = scopeFor(login);
    return { tokens: await saying(() => requestByClient(login, clientCredentials, scope)) };
  }
  if (openRedirectTarget === undefined) {
    throw new IdewireError("unauthorized", `${new URL(url).host} wants you to log in`);
  }
  const target = await openRedirectTarget(login.own?.client?.redirectUri);
  try {
    return await saying(() => logInByCode(login, target));
  } finally {
    await target.close();
  }
}

/** How servers name a client that they do not know. */
const FORGOTTEN: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client"]);

/** A registration that the server has forgotten is made anew, once. */
async function logInByCode(login: Login, target: RedirectTarget): Promise<LoggedIn> {
  const { server, own, options } = login;
  const registered = own?.client?.redirectUri === target.uri ? own.client : undefined;
  const reused = knownClient(server, options) ?? registered;
  try {
    return await logInAs(reused, login, target);
  } catch (error) {
    const isForgotten = error instanceof OAuthRefusal && FORGOTTEN.has(error.code);
    if (!isForgotten || reused === undefined || reused !== registered) throw error;
    return logInAs(undefined, login, target);
  }
}

async function logInAs(
  client: ClientCredentials | undefined,
  login: Login,
  target: RedirectTarget,
): Promise<LoggedIn> {
  const { server, fetch } = login;
  const { clientName } = login.options;
  const options = { fetch, ...(clientName !== undefined && { clientName }) };
  const used = client ?? (await register(server, target.uri, options));
  const registered = "redirectUri" in used ? used : undefined;
  const tokens = await requestByCode({ ...login, client: used }, target, scopeFor(login));
  return {
    tokens,
    ...(registered && { client: { ...registered, redirectUri: target.uri } }),
  };
}

/** MCP 2025-11-25, Authorization / Scope Selection Strategy; with those granted before (SEP-2350). */
function scopeFor({ server, need, options }: Login): string | undefined {
  const { metadata, scopesSupported } = server;
  const asked = need.challenge.scope ?? options.scope ?? scopesSupported?.join(" ");
  const before = need.needsMore === true ? need.refused?.scope : undefined;
  const scopes = new Set(`${before ?? ""} ${asked ?? ""}`.split(/\s+/).filter(Boolean));
  const hasPerson = options.clientCredentials === undefined;
  if (hasPerson && metadata.scopes_supported?.includes("offline_access") === true) {
    scopes.add("offline_access");
  }
  return scopes.size === 0 ? undefined : [...scopes].join(" ");
}

/** Turns a refusal of the authorization server into the error that callers see. */
async function saying<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    throw new IdewireError("unauthorized", `The authorization server refused: ${error.message}`);
  }
}
