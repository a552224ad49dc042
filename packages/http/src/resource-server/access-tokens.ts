import { describeValue, isObject } from "@idewire/core/internal";
import { decodeJwt, errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from "jose";
import { CredentialsError } from "./credentials-error.ts";
import { Introspection } from "./introspection.ts";
import type { TrustedIssuer } from "./trusted-issuer.ts";
import { type TrustedIssuers, unavailable } from "./trusted-issuers.ts";
import type { VerifiedToken } from "./verified-token.ts";

interface AccessTokensOptions {
  readonly issuers: TrustedIssuers;
  readonly audience: string;
  readonly clockToleranceS: number;
}

/** Asymmetric signatures alone: with a shared key each resource server could issue tokens. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"].concat(
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
);

/** How long an issuer's answer is cached. */
const CACHE_MS = 10_000;

/** Checks access tokens, JWTs and opaque ones. */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  /** By issuer. */
  readonly #introspections = new Map<string, Introspection>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /** @throws CredentialsError */
  async verify(token: string): Promise<VerifiedToken> {
    const named = issuerOf(token);
    return named === undefined ? this.#ask(token) : this.#check(token, named);
  }

  /** RFC 9068: by the issuer's own keys. */
  async #check(token: string, named: unknown): Promise<VerifiedToken> {
    const { issuers, audience, clockToleranceS: clockTolerance } = this.#options;
    const { issuer, keys, accessTokenType } = await issuers.get(named);
    if (keys === undefined)
      throw new CredentialsError("invalid_token", "The issuer publishes no keys");
    const wanted = { issuer, audience, clockTolerance, algorithms: ALGORITHMS };
    try {
      const verified = await jwtVerify(token, keys, { ...wanted, requiredClaims: ["exp"] });
      refuseOtherType(verified, accessTokenType);
      return toVerified(issuer, verified.payload);
    } catch (error) {
      throw explain(error);
    }
  }

  /** RFC 7662. */
  async #ask(token: string): Promise<VerifiedToken> {
    const { issuers } = this.#options;
    const introspecting = issuers.introspectionFor(token);
    if (introspecting === undefined) throw new CredentialsError("invalid_token", INACTIVE);
    const { issuer, introspection } = introspecting;
    const { cacheMs = CACHE_MS } = introspection ?? {};
    const answers = this.#introspections.get(issuer) ?? new Introspection(cacheMs);
    this.#introspections.set(issuer, answers);
    const claims = await answers.claimsOf(await issuers.get(issuer), token);
    if (claims === undefined) throw new CredentialsError("invalid_token", INACTIVE);
    return this.#judge(issuer, claims);
  }

  /** The same checks as jwtVerify does for a JWT. */
  #judge(issuer: string, claims: JWTPayload): VerifiedToken {
    const { audience, clockToleranceS } = this.#options;
    const named = [claims.aud ?? []].flat();
    if (!named.includes(audience)) throw new CredentialsError("invalid_token", OTHER_AUDIENCE);
    if (claims.iss !== undefined && claims.iss !== issuer) {
      throw new CredentialsError("invalid_token", "The token is from another issuer");
    }
    refuseOtherUse(claims);
    const times = { exp: secondsOf("exp", claims.exp) ?? 0, nbf: secondsOf("nbf", claims.nbf) };
    const nowS = Date.now() / 1000;
    if (times.exp + clockToleranceS < nowS) {
      throw new CredentialsError("invalid_token", "The token has expired");
    }
    if ((times.nbf ?? 0) - clockToleranceS > nowS) {
      throw new CredentialsError("invalid_token", "The token is not valid yet");
    }
    return toVerified(issuer, { ...claims, exp: times.exp });
  }
}

const INACTIVE = "The token is not active";
const OTHER_AUDIENCE = "The token is for another audience";

/** The issuer that a JWT names, before any check; undefined for anything but a JWT. */
function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss ?? null;
  } catch {
    return undefined;
  }
}

/** Claims of ID tokens that no access token has (OpenID Connect Core, 2 and 3.3.2.11). */
const ID_TOKEN_CLAIMS = ["nonce", "at_hash", "c_hash"];
/** How issuers name tokens of other uses where RFC 7662 has the type of an access token, as Duende does. */
const OTHER_USE = /^(?:refresh|offline|id|logout)(?:[ _-]?token)?$/i;

/**
 * Refuses JWTs signed for another purpose: ID tokens, logout tokens, events.
 * @throws CredentialsError
 */
function refuseOtherType(
  { payload, protectedHeader }: JWTVerifyResult,
  wanted: TrustedIssuer["accessTokenType"] = "at+jwt",
): void {
  // The library does not check that it is a string.
  const typ: unknown = protectedHeader.typ;
  const type = typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : typ;
  if (type === "at+jwt") return;
  const isPlain = wanted === "JWT" && (type === undefined || type === "jwt");
  refuseOtherUse(payload);
  const isForLogin = ID_TOKEN_CLAIMS.some((name) => name in payload);
  if (isPlain && !isForLogin) return;
  const seen = isPlain ? "an ID token" : `of type ${describeValue(typ)}`;
  throw new CredentialsError(
    "invalid_token",
    `The token is ${seen}, not an access token (${wanted})`,
  );
}

/**
 * Refuses tokens that their issuer states to be for another use, such as refresh tokens, which introspection reports
 * as active, too: by `token_use` (Cognito, Ory Hydra), `token_type` (Duende) or the claim `typ` (Keycloak).
 * @throws CredentialsError
 */
function refuseOtherUse({ token_use, token_type, typ }: JWTPayload): void {
  const isOther = (token_use ?? "access") !== "access" && token_use !== "access_token";
  const names = [token_type, typ].filter((name) => OTHER_USE.test(String(name)));
  const [use] = isOther ? [token_use] : names;
  if (use === undefined) return;
  const seen = describeValue(use);
  throw new CredentialsError("invalid_token", `The token is for ${seen}, not an access token`);
}

/** A time of an introspection response, which some servers write as a string. @throws CredentialsError */
function secondsOf(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const isText = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value);
  const seconds = isText ? Number(value) : value;
  if (typeof seconds === "number" && Number.isFinite(seconds)) return seconds;
  throw new CredentialsError("invalid_token", `The token's ${name} is not a time`);
}

function toVerified(issuer: string, claims: JWTPayload): VerifiedToken {
  const { exp = 0, scope } = claims;
  const subject = nameOf(claims.sub);
  const clientId = nameOf(claims["client_id"]);
  if (subject === undefined && clientId === undefined) {
    throw new CredentialsError("invalid_token", "The token names no subject");
  }
  return {
    issuer,
    subject,
    clientId,
    scopes: typeof scope === "string" ? scope.split(" ").filter(Boolean) : [],
    expiresAtS: exp,
    keyThumbprint: thumbprintOf(claims["cnf"]),
    claims,
  };
}

/** @throws CredentialsError for anything but a string */
function nameOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "") return value;
  throw new CredentialsError("invalid_token", "The token's subject or client is not a name");
}

/**
 * The key to which a token is bound (RFC 7800), for the one method that is verified here (RFC 9449).
 * @throws CredentialsError for any other, such as a certificate: a stolen token would be accepted
 */
function thumbprintOf(confirmation: unknown): string | undefined {
  if (confirmation === undefined || confirmation === null) return undefined;
  const { jkt, ...others } = isObject(confirmation) ? confirmation : {};
  if (typeof jkt === "string" && Object.keys(others).length === 0) return jkt;
  const words = "The token is bound to a key by a method that is not verified here (cnf)";
  throw new CredentialsError("invalid_token", words);
}

function explain(error: unknown): CredentialsError {
  const invalid = (words: string) => new CredentialsError("invalid_token", words, { cause: error });
  if (error instanceof CredentialsError) return error;
  if (error instanceof errors.JWTExpired) return invalid("The token has expired");
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalid(
      error.claim === "aud" ? OTHER_AUDIENCE : `The token's ${error.claim} is not accepted`,
    );
  }
  if (error instanceof errors.JWKSTimeout) return unavailable(error);
  const isOurs = error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC";
  return isOurs ? invalid("The token's signature is not from the issuer") : unavailable(error);
}
