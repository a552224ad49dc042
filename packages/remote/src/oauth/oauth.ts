import { IdewireError } from "@idewire/core";
import type { Authorization, Challenged } from "../http/http-channel.ts";
import { discard } from "../http/read-text.ts";
import type { Fetch } from "../web-types.ts";
import { type Challenge, readChallenge } from "./challenge.ts";
import type { ClientCredentials, StoredCredentials, StoredTokens } from "./credentials.ts";
import { type DiscoveredServer, discover } from "./discovery.ts";
import { boundedFetch } from "./document.ts";
import type { OAuthOptions, RedirectTarget } from "./options.ts";
import { knownClient, register } from "./registration.ts";
import {
  OAuthRefusal,
  requestByClient,
  requestByCode,
  requestByRefresh,
} from "./token-requests.ts";

/** A token that ends this soon is refreshed before it is used. */
const MARGIN_MS = 30_000;
/** How often one request may lead to new tokens. */
const MAX_ATTEMPTS = 3;

/**
 * Authorizes the requests to one MCP server (MCP 2025-03-26 to 2026-07-28, Authorization): finds its
 * authorization server, registers, has the person log in, refreshes, asks for more scopes when told to. What
 * it gets is kept in the store, where one process at a time obtains tokens and all others use them.
 * @throws IdewireError `invalid-argument` for an address that is none
 */
export function createOAuth(options: OAuthOptions): Authorization {
  if (!URL.canParse(options.url)) {
    throw new IdewireError("invalid-argument", `Expected an address, got ${options.url}`);
  }
  return new OAuth(options);
}

class OAuth implements Authorization {
  readonly #options: OAuthOptions;
  readonly #server: URL;
  readonly #fetch: Fetch;
  /** The last read or written; undefined before the first time. */
  #known: { readonly credentials: StoredCredentials | undefined } | undefined;
  /** What is being done for all requests that need it. */
  #renewing: Promise<void> | undefined;

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#server = new URL(options.url);
    this.#fetch = boundedFetch(options.fetch, options.timeoutMs);
  }

  async headers(): Promise<Headers> {
    this.#known ??= { credentials: await this.#read() };
    const { credentials } = this.#known;
    const tokens = credentials?.tokens;
    const isEnding = (tokens?.expiresAtMs ?? Infinity) < Date.now() + MARGIN_MS;
    if (tokens !== undefined && isEnding && tokens.refreshToken !== undefined) {
      await this.#renew({ refused: tokens, challenge: {}, mayLogIn: false });
    }
    const token = this.#known.credentials?.tokens?.accessToken;
    return new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  }

  async challenged({ response, attempt, sent }: Challenged): Promise<boolean> {
    const challenge = readChallenge(response);
    if (response.status === 403 && challenge.error !== "insufficient_scope") return false;
    discard(response);
    if (attempt > MAX_ATTEMPTS) {
      const what = `${this.#server.host} has refused ${MAX_ATTEMPTS} tokens in a row`;
      throw new IdewireError("unauthorized", what);
    }
    const used = sent.get("authorization")?.replace(/^Bearer /, "");
    const tokens = this.#known?.credentials?.tokens;
    // Another request has got new ones in the meantime.
    if (tokens !== undefined && tokens.accessToken !== used) return true;
    await this.#renew({
      refused: tokens,
      challenge,
      mayLogIn: true,
      needsMore: response.status === 403,
    });
    return true;
  }

  #read(): Promise<StoredCredentials | undefined> {
    return this.#options.store.read(this.#options.url);
  }

  /** Remembers before it writes: what cannot be stored can still be used. */
  async #keep(
    { issuer, resourceMetadata }: DiscoveredServer,
    own: Pick<StoredCredentials, "client" | "tokens">,
  ): Promise<void> {
    const credentials = { issuer, resourceMetadata, ...own };
    this.#known = { credentials };
    await this.#options.store.write(this.#options.url, credentials);
  }

  #renew(need: Need): Promise<void> {
    this.#renewing ??= this.#options.store
      .exclusively(this.#options.url, () => this.#renewAlone(need))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  /** Runs in one process at a time: whoever comes later finds the tokens of the first. */
  async #renewAlone(need: Need): Promise<void> {
    const stored = await this.#read();
    this.#known = { credentials: stored };
    const tokens = stored?.tokens;
    if (tokens !== undefined && tokens.accessToken !== need.refused?.accessToken) return;
    const place = need.challenge.resource_metadata ?? stored?.resourceMetadata;
    const challenge = place === undefined ? {} : { resource_metadata: place };
    const server = await discover(this.#server, challenge, this.#fetch);
    // Nothing of another authorization server is shown to this one.
    const own = stored?.issuer === server.issuer ? stored : undefined;
    if (own?.tokens?.refreshToken !== undefined && need.needsMore !== true) {
      if (await this.#refresh(server, own, own.tokens)) return;
    }
    const left = this.#known.credentials;
    await this.#obtain(server, left?.issuer === server.issuer ? left : undefined, need);
  }

  /** @returns false when the refresh token is refused, which is then forgotten */
  async #refresh(
    server: DiscoveredServer,
    { client }: StoredCredentials,
    tokens: StoredTokens,
  ): Promise<boolean> {
    const known = this.#clientOf(server, client);
    if (known?.clientId !== tokens.clientId) return false;
    try {
      const fresh = await requestByRefresh({ server, client: known, fetch: this.#fetch }, tokens);
      await this.#keep(server, { client, tokens: fresh });
      return true;
    } catch (error) {
      if (!(error instanceof OAuthRefusal)) throw error;
      const isForgotten = error.code === "invalid_client";
      await this.#keep(server, { client: isForgotten ? undefined : client });
      return false;
    }
  }

  #clientOf(
    server: DiscoveredServer,
    registered: ClientCredentials | undefined,
  ): ClientCredentials | undefined {
    return knownClient(server, this.#options) ?? registered;
  }

  async #obtain(
    server: DiscoveredServer,
    own: StoredCredentials | undefined,
    need: Need,
  ): Promise<void> {
    const { clientCredentials, openRedirectTarget } = this.#options;
    const scope = this.#scopeFor(server, need);
    if (clientCredentials !== undefined) {
      const context = { server, fetch: this.#fetch };
      const tokens = await saying(() => requestByClient(context, clientCredentials, scope));
      await this.#keep(server, { tokens });
      return;
    }
    if (openRedirectTarget === undefined || !need.mayLogIn) {
      // The request goes out with what there is, and its refusal leads here again.
      if (!need.mayLogIn) return;
      throw new IdewireError("unauthorized", `${this.#server.host} wants you to log in`);
    }
    const target = await openRedirectTarget(own?.client?.redirectUri);
    try {
      await saying(() => this.#logIn(server, target, { own, scope }));
    } finally {
      await target.close();
    }
  }

  /** A registration that the server has forgotten is made anew, once. */
  async #logIn(
    server: DiscoveredServer,
    target: RedirectTarget,
    {
      own,
      scope,
    }: { readonly own: StoredCredentials | undefined; readonly scope: string | undefined },
  ): Promise<void> {
    const registered = own?.client?.redirectUri === target.uri ? own.client : undefined;
    const reused = this.#clientOf(server, registered);
    try {
      await this.#logInAs(reused, { server, target, scope });
    } catch (error) {
      const isForgotten = error instanceof OAuthRefusal && FORGOTTEN.has(error.code);
      if (!isForgotten || reused === undefined || reused !== registered) throw error;
      await this.#logInAs(undefined, { server, target, scope });
    }
  }

  async #logInAs(client: ClientCredentials | undefined, login: Login): Promise<void> {
    const { server, target, scope } = login;
    const { clientName } = this.#options;
    const fetch = this.#fetch;
    const options = { fetch, ...(clientName !== undefined && { clientName }) };
    const used = client ?? (await register(server, target.uri, options));
    const registered = "redirectUri" in used ? used : undefined;
    const tokens = await requestByCode({ server, client: used, fetch }, target, scope);
    await this.#keep(server, {
      tokens,
      ...(registered && { client: { ...registered, redirectUri: target.uri } }),
    });
  }

  /** MCP 2025-11-25, Authorization / Scope Selection Strategy; with those granted before (SEP-2350). */
  #scopeFor({ metadata, scopesSupported }: DiscoveredServer, need: Need): string | undefined {
    const asked = need.challenge.scope ?? this.#options.scope ?? scopesSupported?.join(" ");
    const before = need.needsMore === true ? need.refused?.scope : undefined;
    const scopes = new Set(`${before ?? ""} ${asked ?? ""}`.split(/\s+/).filter(Boolean));
    const hasPerson = this.#options.clientCredentials === undefined;
    if (hasPerson && metadata.scopes_supported?.includes("offline_access") === true) {
      scopes.add("offline_access");
    }
    return scopes.size === 0 ? undefined : [...scopes].join(" ");
  }
}

/** How servers name a client that they do not know. */
const FORGOTTEN: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client"]);

/** Why new tokens are wanted. */
interface Need {
  /** What was refused, or is about to end. */
  readonly refused: StoredTokens | undefined;
  readonly challenge: Challenge;
  readonly mayLogIn: boolean;
  /** More scopes are wanted, which a refresh does not give. */
  readonly needsMore?: boolean;
}

interface Login {
  readonly server: DiscoveredServer;
  readonly target: RedirectTarget;
  readonly scope: string | undefined;
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
