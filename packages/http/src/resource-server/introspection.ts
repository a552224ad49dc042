import type { JWTPayload } from "jose";
import {
  allowInsecureRequests,
  ClientSecretBasic,
  introspectionRequest,
  processIntrospectionResponse,
} from "oauth4webapi";
import { sha256 } from "../sha256.ts";
import { CredentialsError } from "./credentials-error.ts";
import { isLoopback, type KnownIssuer, unavailable } from "./trusted-issuers.ts";

/** More than the number of tokens in use within seconds. */
const MAX_KEPT = 10_000;
/** How many requests one issuer gets at a time, and how many more may wait. */
const MAX_RUNNING = 32;
const MAX_WAITING = 1_000;
const TIMEOUT_MS = 10_000;

type Ask = (issuer: KnownIssuer, token: string) => Promise<JWTPayload | undefined>;

/**
 * Asks one issuer about opaque tokens (RFC 7662). Answers are cached for a while, concurrent questions about a
 * token are asked once, and invalid tokens can neither flood the issuer nor fill the memory: tokens that were
 * valid before come first.
 */
export class Introspection {
  readonly #ask: Ask;
  readonly #cacheMs: number;
  /** By the hash of the token, in the order of the last question. */
  readonly #good = new Map<string, { readonly claims: JWTPayload; readonly untilMs: number }>();
  readonly #bad = new Map<string, number>();
  readonly #asking = new Map<string, Promise<JWTPayload | undefined>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param cacheMs how long an answer counts */
  constructor(cacheMs: number, ask: Ask = introspect) {
    this.#cacheMs = cacheMs;
    this.#ask = ask;
  }

  /**
   * The issuer's claims about a token; undefined when it is not active.
   * @throws CredentialsError `unavailable` when the issuer cannot be reached now
   */
  async claimsOf(issuer: KnownIssuer, token: string): Promise<JWTPayload | undefined> {
    const hash = await sha256(token);
    const good = this.#good.get(hash);
    const now = Date.now();
    if (good !== undefined && good.untilMs > now) return good.claims;
    if ((this.#bad.get(hash) ?? 0) > now) return undefined;
    const asking = this.#asking.get(hash) ?? this.#askInTurn(issuer, token, hash);
    this.#asking.set(hash, asking);
    return asking;
  }

  async #askInTurn(
    issuer: KnownIssuer,
    token: string,
    hash: string,
  ): Promise<JWTPayload | undefined> {
    try {
      await this.#turn(this.#good.has(hash));
      try {
        const claims = await this.#ask(issuer, token);
        this.#keep(hash, claims);
        return claims;
      } finally {
        const next = this.#waiting.shift();
        if (next === undefined) this.#running -= 1;
        else next();
      }
    } finally {
      this.#asking.delete(hash);
    }
  }

  /** Resolves when one more question may be sent, in place of one that was answered. */
  #turn(isFirst: boolean): Promise<void> {
    if (this.#running < MAX_RUNNING) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= MAX_WAITING && !isFirst) {
      const words = "Too many tokens are being checked";
      return Promise.reject(new CredentialsError("unavailable", words));
    }
    return new Promise((resolve) => {
      if (isFirst) this.#waiting.unshift(resolve);
      else this.#waiting.push(resolve);
    });
  }

  #keep(hash: string, claims: JWTPayload | undefined): void {
    const untilMs = Date.now() + this.#cacheMs;
    this.#good.delete(hash);
    this.#bad.delete(hash);
    if (claims === undefined) keep(this.#bad, hash, untilMs);
    else keep(this.#good, hash, { claims, untilMs });
  }
}

function keep<T>(kept: Map<string, T>, hash: string, value: T): void {
  for (const oldest of kept.keys()) {
    if (kept.size < MAX_KEPT) break;
    kept.delete(oldest);
  }
  kept.set(hash, value);
}

async function introspect(
  { metadata, introspection, issuer }: KnownIssuer,
  token: string,
): Promise<JWTPayload | undefined> {
  if (introspection === undefined) return undefined;
  const client = { client_id: introspection.clientId };
  try {
    const response = await introspectionRequest(
      metadata,
      client,
      ClientSecretBasic(introspection.clientSecret),
      token,
      {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        [allowInsecureRequests]: isLoopback(new URL(issuer)),
      },
    );
    const answer = await processIntrospectionResponse(metadata, client, response);
    return answer.active ? answer : undefined;
  } catch (error) {
    throw unavailable(error);
  }
}
