import type { ReplayStore } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { quoteHeader } from "../handler/encode-headers.ts";
import type { Authorized, ResourceServer } from "../handler/mcp-http-options.ts";
import type { NamedMethod, RequestHead } from "../handler/request-head.ts";
import { AccessTokens } from "./access-tokens.ts";
import { CredentialsError } from "./credentials-error.ts";
import { DpopProofs, proofAlgorithms } from "./dpop-proofs.ts";
import type { TrustedIssuer } from "./trusted-issuer.ts";
import { TrustedIssuers } from "./trusted-issuers.ts";
import type { VerifiedToken } from "./verified-token.ts";

/** Which tokens a resource server accepts. */
export interface ProtectResourceOptions<Context> {
  /** The authorization servers whose tokens are accepted; listed to clients in this order. */
  readonly issuers: readonly (string | TrustedIssuer)[];
  /**
   * The canonical address of the MCP server, such as `https://example.com/mcp`: the required audience of tokens,
   * and the resource in its metadata.
   */
  readonly audience: string;
  /**
   * The scopes that a request needs, by its head. It is called twice: before the body is read, and afterwards with
   * the method and target of the message as `mcp-method` and `mcp-name`, in all revisions and in plain text. None
   * by default.
   */
  readonly scopesFor?: (this: void, head: RequestHead) => readonly string[];
  /**
   * The scopes listed in the metadata, which clients may request; those of `scopesFor` are named when they are
   * missing.
   */
  readonly scopesSupported?: readonly string[];
  /** Creates the context of tools; by default the verified token. */
  readonly contextFor?: (this: void, token: VerifiedToken) => Context | Promise<Context>;
  /** Whether tokens must be bound to a key (RFC 9449), which makes stolen ones useless; false by default. */
  readonly proofsRequired?: boolean;
  /** The tolerated difference of clocks, in seconds; 5 by default. */
  readonly clockToleranceS?: number;
  /**
   * Records the used proofs, so that each is accepted only once by all instances of a server: `replays` of their
   * shared store. In memory by default.
   */
  readonly replays?: ReplayStore;
}

/**
 * Makes an MCP server an OAuth 2.1 resource server (MCP 2025-06-18 to 2026-07-28, Authorization): the result is
 * the option `resourceServer` of `listenMcp` and `createMcpHandler`. Tokens are JWTs, checked with the issuer's
 * keys, or opaque, checked by introspection; bound tokens require a proof of possession (RFC 9449). A missing or
 * unusable token is answered with 401, a missing scope with 403, each with a challenge that points to the metadata
 * (RFC 9728); with 503 while an issuer is unreachable.
 * @throws IdewireError `invalid-argument` for an invalid address
 */
export function protectResource<Context = VerifiedToken>(
  options: ProtectResourceOptions<Context>,
): ResourceServer<Context> {
  return new ProtectedResource(options).protection;
}

class ProtectedResource<Context> {
  readonly protection: ResourceServer<Context>;
  readonly #options: ProtectResourceOptions<Context>;
  readonly #resource: URL;
  readonly #tokens: AccessTokens;
  readonly #proofs: DpopProofs;

  constructor(options: ProtectResourceOptions<Context>) {
    const { audience, clockToleranceS = 5, scopesSupported } = options;
    const issuers = new TrustedIssuers(options.issuers);
    this.#options = options;
    this.#resource = parseAudience(audience);
    this.#tokens = new AccessTokens({ issuers, audience, clockToleranceS });
    this.#proofs = new DpopProofs(clockToleranceS, options.replays);
    const resourceMetadata = {
      resource: audience,
      authorization_servers: issuers.names,
      bearer_methods_supported: ["header"],
      dpop_signing_alg_values_supported: proofAlgorithms,
      ...(options.proofsRequired === true && { dpop_bound_access_tokens_required: true }),
      ...(scopesSupported && { scopes_supported: scopesSupported }),
    };
    this.protection = { authorize: (head) => this.#authorize(head), resourceMetadata };
  }

  async #authorize(head: RequestHead): Promise<Authorized<Context>> {
    const wanted = this.#options.scopesFor?.(head) ?? [];
    try {
      const token = await this.#verify(head);
      if (lacks(token, wanted)) return this.#challenge(wanted);
      const context = (await this.#options.contextFor?.(token)) ?? (token as Context);
      const { scopesFor } = this.#options;
      const refuse = (message: NamedMethod) => {
        const needed = scopesFor?.(asking(head, message)) ?? [];
        return lacks(token, needed) ? this.#challenge(needed) : undefined;
      };
      const challenge = (needed: readonly string[]) => this.#challenge(needed);
      const { clockToleranceS = 5 } = this.#options;
      return {
        ...{ context, principal: principalOf(token), scopes: token.scopes, challenge },
        ...(scopesFor && { refuse }),
        expiresAtMs: (token.expiresAtS + clockToleranceS) * 1000,
        isValid: () => this.#isValid(head, token),
      };
    } catch (error) {
      if (!(error instanceof CredentialsError)) throw error;
      return this.#refuse(error, wanted);
    }
  }

  /**
   * Whether a token has all the rights that it had, which its issuer may have reduced; rejects while the issuer is
   * unreachable.
   */
  async #isValid(head: RequestHead, before: VerifiedToken): Promise<boolean> {
    try {
      const now = await this.#tokens.verify(credentialOf(head).given);
      return principalOf(now) === principalOf(before) && !lacks(now, before.scopes);
    } catch (error) {
      if (error instanceof CredentialsError && error.code !== "unavailable") return false;
      throw error;
    }
  }

  async #verify(head: RequestHead): Promise<VerifiedToken> {
    const { scheme, given } = credentialOf(head);
    if (given === "") throw new CredentialsError(undefined, "A token is needed");
    const token = await this.#tokens.verify(given);
    const isProven = scheme.toLowerCase() === "dpop";
    if (token.keyThumbprint !== undefined) {
      if (!isProven)
        throw new CredentialsError(
          "invalid_token",
          "The token is bound to a key: a DPoP proof is needed",
        );
      const url = this.#resource.origin + head.path;
      await this.#proofs.verify({ head, url, token: given, thumbprint: token.keyThumbprint });
    } else if (isProven || this.#options.proofsRequired === true) {
      throw new CredentialsError("invalid_token", "The token is not bound to a key");
    }
    return token;
  }

  #challenge(needed: readonly string[]) {
    return this.#refuse(
      new CredentialsError("insufficient_scope", "More scopes are needed"),
      needed,
    );
  }

  /** RFC 6750, section 3, with the address of the metadata (RFC 9728). */
  #refuse({ code, message }: CredentialsError, scopes: readonly string[]) {
    if (code === "unavailable") return { status: 503, message } as const;
    const isForProofs = code === "invalid_dpop_proof" || this.#options.proofsRequired === true;
    const scheme = isForProofs ? "DPoP" : "Bearer";
    const { origin, pathname } = this.#resource;
    const path = pathname === "/" ? "" : pathname;
    const members = [
      ...(scheme === "DPoP" ? [`algs="${proofAlgorithms.join(" ")}"`] : []),
      ...(code === undefined
        ? []
        : [`error="${code}"`, `error_description=${quoteHeader(message)}`]),
      ...(scopes.length === 0 ? [] : [`scope=${quoteHeader(scopes.join(" "))}`]),
      `resource_metadata=${quoteHeader(`${origin}/.well-known/oauth-protected-resource${path}`)}`,
    ];
    const headers = { "www-authenticate": `${scheme} ${members.join(", ")}` };
    return { status: code === "insufficient_scope" ? 403 : 401, message, headers } as const;
  }
}

function credentialOf(head: RequestHead) {
  const [, scheme = "", given = ""] =
    /^(Bearer|DPoP) +([\w.~+/-]+=*)$/i.exec(head.header("authorization") ?? "") ?? [];
  return { scheme, given };
}

function lacks({ scopes }: VerifiedToken, needed: readonly string[]): boolean {
  return !needed.every((scope) => scopes.includes(scope));
}

/** A client is never confused with a user of the same name. */
function principalOf({ issuer, subject, clientId }: VerifiedToken): string {
  return JSON.stringify(subject === undefined ? [issuer, { clientId }] : [issuer, subject]);
}

/** A head with the method and target of a message in place of its own. */
function asking(head: RequestHead, { method, name }: NamedMethod): RequestHead {
  const overrides = new Map([
    ["mcp-method", method],
    ["mcp-name", name],
  ]);
  return {
    ...{ method: head.method, path: head.path, query: head.query },
    header: (key) => (overrides.has(key) ? overrides.get(key) : head.header(key)),
  };
}

function parseAudience(audience: string): URL {
  const url = URL.canParse(audience) ? new URL(audience) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url !== undefined && isWeb && url.hash === "" && url.search === "") return url;
  const wanted = "the http or https address of the MCP server, without query and fragment";
  throw new IdewireError("invalid-argument", `audience: expected ${wanted}, got ${audience}`);
}
