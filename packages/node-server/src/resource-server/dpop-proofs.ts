import { createHash } from "node:crypto";
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from "jose";
import type { RequestHead } from "../http/request-head.ts";
import { Unaccepted } from "./unaccepted.ts";

/** How old a proof may be, in seconds. */
const MAX_AGE_S = 60;
/** More proofs than a server of a person sees in a minute. */
const MAX_KEPT = 100_000;

/** How proofs may be signed. */
export const proofAlgorithms: string[] = [
  "ES256",
  "ES384",
  "ES512",
  "RS256",
  "PS256",
  "EdDSA",
  "Ed25519",
];

/** What a proof has to be for. */
export interface ProvenRequest {
  readonly head: RequestHead;
  /** Without query. */
  readonly url: string;
  readonly token: string;
  /** Of the key that the token is bound to. */
  readonly thumbprint: string;
}

/** Checks the proofs of possession that come with tokens (RFC 9449, section 4.3); each counts once. */
export class DpopProofs {
  readonly #clockToleranceS: number;
  /** The proofs of the last minute, oldest first, and when they are too old anyway. */
  readonly #used = new Map<string, number>();

  constructor(clockToleranceS: number) {
    this.#clockToleranceS = clockToleranceS;
  }

  /** @throws Unaccepted */
  async verify({ head, url, token, thumbprint }: ProvenRequest): Promise<void> {
    const proof = head.header("dpop");
    if (proof === undefined) throw refused("A DPoP proof is needed");
    const { payload, protectedHeader } = await read(proof, this.#clockToleranceS);
    const { jwk } = protectedHeader;
    if (jwk === undefined || (await calculateJwkThumbprint(jwk)) !== thumbprint) {
      throw refused("The DPoP proof was signed with a key other than the token's");
    }
    if (payload["htm"] !== head.method) throw refused("The DPoP proof is for another method");
    if (!isSameAddress(payload["htu"], url)) throw refused("The DPoP proof is for another address");
    if (payload["ath"] !== hashOf(token)) throw refused("The DPoP proof is for another token");
    // By their hashes, whatever length an id has.
    this.#use(hashOf(`${thumbprint} ${payload.jti}`));
  }

  #use(id: string): void {
    const now = Date.now();
    for (const [old, endMs] of this.#used) {
      if (endMs > now && this.#used.size < MAX_KEPT) break;
      this.#used.delete(old);
    }
    if (this.#used.has(id)) throw refused("The DPoP proof was used before");
    // The age of a proof is counted in whole seconds: it is valid for up to one more.
    this.#used.set(id, now + (MAX_AGE_S + 2 * this.#clockToleranceS + 1) * 1000);
  }
}

async function read(proof: string, clockTolerance: number) {
  const wanted = { typ: "dpop+jwt", algorithms: proofAlgorithms, clockTolerance };
  const required = { maxTokenAge: MAX_AGE_S, requiredClaims: ["jti", "htm", "htu", "ath"] };
  try {
    return await jwtVerify<JWTPayload>(proof, EmbeddedJWK, { ...wanted, ...required });
  } catch (error) {
    throw new Unaccepted("invalid_dpop_proof", "The DPoP proof is invalid or too old", {
      cause: error,
    });
  }
}

/** As URLs are compared: case of the host, default port; query and fragment do not count. */
function isSameAddress(given: unknown, url: string): boolean {
  if (typeof given !== "string" || !URL.canParse(given)) return false;
  const { origin, pathname } = new URL(given);
  const wanted = new URL(url);
  return origin === wanted.origin && pathname === wanted.pathname;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function refused(words: string): Unaccepted {
  return new Unaccepted("invalid_dpop_proof", words);
}
