import type { Redactor } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { Authorization, AuthorizedRequest } from "../client/http-channel.ts";
import { discard } from "../client/read-text.ts";
import { SentSecrets } from "../client/secrets.ts";
import type { Fetch } from "../web-types.ts";
import { type Challenge, readChallenge } from "./challenge.ts";
import type { StoredCredentials, StoredTokens } from "./credentials.ts";
import { type DiscoveredServer, discover, isSameIssuer } from "./discovery.ts";
import { boundedFetch } from "./document.ts";
import type { KeyProofs } from "./dpop.ts";
import { AuthorizationServerError, SERVER, unauthorized, withUserError } from "./errors.ts";
import { isUnattended, type LoggedIn, logIn, type Need } from "./login.ts";
import type { OAuthOptions } from "./options.ts";
import { knownClient, requireClients } from "./registration.ts";
import { requestByRefresh } from "./token-requests.ts";

/** A token that expires this soon is refreshed before it is used. */
const MARGIN_MS = 30_000;
/** How often one request may obtain new tokens. */
const MAX_ATTEMPTS = 3;

/**
 * Authorizes the requests to one MCP server (MCP 2025-03-26 to 2026-07-28, Authorization): finds its authorization
 * server, registers, asks the person to log in, refreshes, and requests more scopes when challenged. Tokens are
 * kept in the store; one process at a time obtains them, and all others use them.
 * @throws IdewireError `invalid-argument` for an invalid address, and for a secret without its issuer
 */
export function createOAuth(options: OAuthOptions): Authorization {
  if (!URL.canParse(options.url)) {
    throw new IdewireError("invalid-argument", `Expected an address, got ${options.url}`);
  }
  requireClients(options);
  return new OAuth(options);
}

/** A response that refuses the credentials of a request. */
interface Challenged {
  /** A 401 or a 403, whose body is unread. */
  readonly response: Response;
  /** How often this request has been refused: 1 the first time. */
  readonly attempt: number;
  /** The headers of the credentials that were refused. */
  readonly sent: Headers;
}

class OAuth implements Authorization {
  readonly #options: OAuthOptions;
  readonly #server: URL;
  readonly #fetch: Fetch;
  /** Secrets of this program, and its tokens. */
  readonly #secrets = new SentSecrets();
  /** Secrets in the requests to the server. */
  #redactor: Redactor | undefined;
  /** The credentials last read or written; undefined before the first time. */
  #known: { readonly credentials: StoredCredentials | undefined } | undefined;
  /** The login or refresh in progress, shared by all requests that need it. */
  #renewing: Promise<void> | undefined;

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#server = new URL(options.url);
    const { clients = {}, clientCredentials } = options;
    const given = [...Object.values(clients), ...(clientCredentials ? [clientCredentials] : [])];
    this.#secrets.add(given.map(({ clientSecret }) => clientSecret));
    const send = boundedFetch(options.fetch, options.timeoutMs, this.#redact);
    this.#fetch = async (url, init) => {
      const response = await send(url, init);
      options.dpop?.storeNonce(url, response);
      return response;
    };
  }

  async send(
    request: AuthorizedRequest,
    send: (credentials: Headers) => Promise<Response>,
  ): Promise<Response> {
    this.#redactor = request.redactor;
    for (let attempt = 1; ; attempt += 1) {
      const sent = await this.#headers(request);
      const response = await send(sent);
      this.#options.dpop?.storeNonce(request.url.href, response);
      if (response.status !== 401 && response.status !== 403) return response;
      if (!(await this.#isAnswered({ response, attempt, sent }))) return response;
    }
  }

  async #headers(request: AuthorizedRequest): Promise<Headers> {
    this.#known ??= { credentials: await this.#read() };
    const { credentials } = this.#known;
    const tokens = credentials?.tokens;
    const isEnding = (tokens?.expiresAtMs ?? Infinity) < Date.now() + MARGIN_MS;
    if (tokens !== undefined && isEnding && tokens.refreshToken !== undefined) {
      await this.#renew({ refused: tokens, challenge: {}, mayLogIn: false });
    }
    const { accessToken, key } = this.#known.credentials?.tokens ?? {};
    if (accessToken === undefined) return new Headers();
    const proofs = await this.#proofsBy(key);
    return (
      proofs?.headersFor({ ...request, accessToken }) ??
      new Headers({ authorization: `Bearer ${accessToken}` })
    );
  }

  /** @returns whether to send the request again */
  async #isAnswered({ response, attempt, sent }: Challenged): Promise<boolean> {
    const challenge = this.#redact(readChallenge(response));
    if (response.status === 403 && challenge.error !== "insufficient_scope") return false;
    discard(response);
    if (attempt > MAX_ATTEMPTS) {
      const what = `${this.#server.host} has refused ${MAX_ATTEMPTS} tokens in a row`;
      throw unauthorized(what);
    }
    // The nonce was stored, and is in the next proof.
    if (challenge.error === "use_dpop_nonce" && sent.has("dpop")) return true;
    if (challenge.error === "invalid_dpop_proof") {
      const what = "does not accept our DPoP proof: compare this machine's clock with the server's";
      throw unauthorized(`${this.#server.host} ${what}`);
    }
    const used = sent.get("authorization")?.replace(/^(?:Bearer|DPoP) /, "");
    const tokens = this.#known?.credentials?.tokens;
    // Another request has obtained new ones in the meantime.
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

  /** Values of a server become part of addresses, errors and requests to other servers. */
  readonly #redact = <T>(value: T): T => {
    const { tokens } = this.#known?.credentials ?? {};
    this.#secrets.add([tokens?.accessToken, tokens?.refreshToken]);
    return this.#secrets.redact(this.#redactor?.redact(value) ?? value);
  };

  /** Remembers before it writes: tokens that cannot be stored can still be used. */
  async #keep({ issuer, resourceMetadata }: DiscoveredServer, own: LoggedIn): Promise<void> {
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

  /** Runs in one process at a time: later processes find the tokens of the first. */
  async #renewAlone(need: Need): Promise<void> {
    const stored = await this.#read();
    this.#known = { credentials: stored };
    const tokens = stored?.tokens;
    if (tokens !== undefined && tokens.accessToken !== need.refused?.accessToken) return;
    const place = need.challenge.resource_metadata ?? stored?.resourceMetadata;
    const at = place === undefined ? {} : { resource_metadata: place };
    const server = await this.#discover({ ...need.challenge, ...at });
    // Credentials of another authorization server are not sent to this one.
    const own = stored?.issuer === server.issuer ? stored : undefined;
    const isEnough =
      need.needsMore !== true && (own?.tokens?.key !== undefined || !server.wantsProofs);
    if (own?.tokens?.refreshToken !== undefined && isEnough) {
      if (await this.#refresh(server, own, own.tokens)) return;
    }
    // Otherwise the request is sent with the current tokens, and its refusal leads here again.
    if (need.mayLogIn || isUnattended(this.#options)) {
      await this.#logIn(server, need);
    }
  }

  async #discover(challenge: Challenge): Promise<DiscoveredServer> {
    const server = await discover(this.#server, challenge, this.#fetch);
    const { issuer } = this.#options;
    if (issuer === undefined || isSameIssuer(issuer, server.issuer)) return server;
    throw unauthorized(`${this.#server.host} names ${server.issuer}, expected ${issuer}`);
  }

  async #logIn(server: DiscoveredServer, need: Need): Promise<void> {
    const left = this.#known?.credentials;
    const own = left?.issuer === server.issuer ? left : undefined;
    const options = this.#options;
    const { dpop, store } = options;
    if (server.wantsProofs && dpop === undefined) {
      const what = "takes only tokens that are bound to a key: give createDpop() as dpop";
      throw unauthorized(`${this.#server.host} ${what}`);
    }
    const proofs = await dpop?.begin(server, store.holdsKeys === true);
    const { fetch, redact } = { fetch: this.#fetch, redact: this.#redact };
    const login = { server, own, need, options, fetch, proofs, redact };
    await this.#keep(server, await logIn(login));
  }

  /** @throws IdewireError `unauthorized` for an unusable key */
  async #proofsBy(key: StoredTokens["key"]): Promise<KeyProofs | undefined> {
    const { dpop, store, url } = this.#options;
    if (key === undefined) return undefined;
    try {
      if (dpop !== undefined) return await dpop.open(key);
    } catch (error) {
      // It is read again, as it may have been repaired.
      this.#known = undefined;
      const place = store.placeOf?.(url);
      throw place === undefined ? error : unauthorized(`${place}: ${(error as Error).message}`);
    }
    const what = "The stored tokens are bound to a key: give createDpop() as dpop";
    throw unauthorized(what);
  }

  /** @returns false when the refresh token is refused; it is then deleted */
  async #refresh(
    server: DiscoveredServer,
    { client }: StoredCredentials,
    tokens: StoredTokens,
  ): Promise<boolean> {
    const given = knownClient(server, this.#options) ?? client;
    // A client that was given for the login alone needs no more than its id, unless it has a secret.
    const known = given ?? { clientId: tokens.clientId, authMethod: "none" };
    if (known.clientId !== tokens.clientId) return false;
    const proofs = await this.#proofsBy(tokens.key);
    try {
      const context = { server, client: known, fetch: this.#fetch, proofs, redact: this.#redact };
      const fresh = await requestByRefresh(context, tokens);
      await this.#keep(server, { client, tokens: fresh });
      return true;
    } catch (error) {
      const refusal = error instanceof AuthorizationServerError ? error : undefined;
      // A refused proof does not invalidate the refresh token.
      if (refusal && (refusal.isTemporary || refusal.code.includes("dpop"))) {
        return withUserError(SERVER, () => Promise.reject(refusal));
      }
      // Of all other failures, only those of the connection leave the refresh token valid.
      const isAnswer = error instanceof IdewireError && error.code === "unauthorized";
      if (refusal === undefined && !isAnswer) throw error;
      const isForgotten = refusal?.code === "invalid_client";
      if (isForgotten && given === undefined) return false;
      await this.#keep(server, { client: isForgotten ? undefined : client });
      return false;
    }
  }
}
