import { isObject } from "@idewire/core/internal";
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { Introspection } from "./introspection.ts";
import { type TrustedIssuers, unavailable } from "./trusted-issuers.ts";
import { Unaccepted } from "./unaccepted.ts";
import type { VerifiedToken } from "./verified-token.ts";

interface AccessTokensOptions {
  readonly issuers: TrustedIssuers;
  readonly audience: string;
  readonly clockToleranceS: number;
}

/** Signatures by a key that others know would let each resource server issue tokens. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"].concat(
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
);

/** For how long the answer of an issuer counts. */
const CACHE_MS = 10_000;

/** Checks access tokens, whatever they look like. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  /** By the issuer. */
  readonly #introspections = new Map<string, Introspection>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /** @throws Unaccepted */
  async verify(token: string): Promise<VerifiedToken> {
    const named = issuerOf(token);
    return named === undefined ? this.#ask(token) : this.#check(token, named);
  }

  /** RFC 9068: by the issuer's own keys. */
  async #check(token: string, named: unknown): Promise<VerifiedToken> {
    const { issuers, audience, clockToleranceS: clockTolerance } = this.#options;
    const { issuer, keys } = await issuers.get(named);
    if (keys === undefined) throw new Unaccepted("invalid_token", "The issuer publishes no keys");
    const wanted = { issuer, audience, clockTolerance, algorithms: ALGORITHMS };
    try {
      const { payload } = await jwtVerify(token, keys, { ...wanted, requiredClaims: ["exp"] });
      return toVerified(issuer, payload);
    } catch (error) {
      throw explain(error);
    }
  }

  /** RFC 7662. */
  async #ask(token: string): Promise<VerifiedToken> {
    const { issuers } = this.#options;
    const asked = issuers.askedAbout(token);
    if (asked === undefined) throw new Unaccepted("invalid_token", INACTIVE);
    const { issuer, introspection } = asked;
    const { cacheMs = CACHE_MS } = introspection ?? {};
    const answers = this.#introspections.get(issuer) ?? new Introspection(cacheMs);
    this.#introspections.set(issuer, answers);
    const claims = await answers.claimsOf(await issuers.get(issuer), token);
    if (claims === undefined) throw new Unaccepted("invalid_token", INACTIVE);
    return this.#judge(issuer, claims);
  }

  /** What jwtVerify checks of a JWT. */
  #judge(issuer: string, claims: JWTPayload): VerifiedToken {
    const { audience, clockToleranceS } = this.#options;
    const named = [claims.aud ?? []].flat();
    if (!named.includes(audience)) throw new Unaccepted("invalid_token", OTHER_AUDIENCE);
    if (claims.iss !== undefined && claims.iss !== issuer) {
      throw new Unaccepted("invalid_token", "The token is from another issuer");
    }
    const ended = (claims.exp ?? 0) + clockToleranceS < Date.now() / 1000;
    if (ended) throw new Unaccepted("invalid_token", "The token has expired");
    return toVerified(issuer, claims);
  }
}

const INACTIVE = "The token is not active";
const OTHER_AUDIENCE = "The token is for another audience";

/** The issuer that a JWT names, before anything is checked; undefined for what is no JWT. */
function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss ?? null;
  } catch {
    return undefined;
  }
}

function toVerified(issuer: string, claims: JWTPayload): VerifiedToken {
  const { sub, exp = 0, scope, client_id: client, cnf } = claims;
  const clientId = typeof client === "string" ? client : undefined;
  const subject = sub ?? clientId;
  if (subject === undefined) throw new Unaccepted("invalid_token", "The token names no subject");
  const thumbprint = isObject(cnf) ? cnf["jkt"] : undefined;
  return {
    issuer,
    subject,
    clientId,
    scopes: typeof scope === "string" ? scope.split(" ").filter(Boolean) : [],
    expiresAtS: exp,
    keyThumbprint: typeof thumbprint === "string" ? thumbprint : undefined,
    claims,
  };
}

function explain(error: unknown): Unaccepted {
  const say = (words: string) => new Unaccepted("invalid_token", words, { cause: error });
  if (error instanceof Unaccepted) return error;
  if (error instanceof errors.JWTExpired) return say("The token has expired");
  if (error instanceof errors.JWTClaimValidationFailed) {
    return say(
      error.claim === "aud" ? OTHER_AUDIENCE : `The token's ${error.claim} is not accepted`,
    );
  }
  if (error instanceof errors.JWKSTimeout) return unavailable(error);
  const isOurs = error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC";
  return isOurs ? say("The token's signature is not from the issuer") : unavailable(error);
}
