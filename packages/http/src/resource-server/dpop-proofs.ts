import type { ReplayStore } from "@idewire/core/internal";
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from "jose";
import type { RequestHead } from "../handler/request-head.ts";
import { sha256 } from "../sha256.ts";
import { CredentialsError } from "./credentials-error.ts";
import { LocalReplays } from "./local-replays.ts";

/** How old a proof may be, in seconds. */
const MAX_AGE_S = 60;
/** The accepted signature algorithms. */
export const proofAlgorithms: string[] = [
  "ES256",
  "ES384",
  "ES512",
  "RS256",
  "PS256",
  "EdDSA",
  "Ed25519",
];

/** The request and the key of a proof. */
export interface ProvenRequest {
  readonly head: RequestHead;
  /** Without query. */
  readonly url: string;
  readonly token: string;
  /** The thumbprint of the key to which the token is bound. */
  readonly thumbprint: string;
}

/** Checks the proofs of possession that accompany tokens (RFC 9449, section 4.3); each is accepted once. */
export class DpopProofs {
  readonly #clockToleranceS: number;
  readonly #replays: ReplayStore;

  constructor(clockToleranceS: number, replays: ReplayStore = new LocalReplays()) {
    this.#clockToleranceS = clockToleranceS;
    this.#replays = replays;
  }

  /** @throws CredentialsError */
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
    if (payload["ath"] !== (await sha256(token)))
      throw refused("The DPoP proof is for another token");
    // Stored as hashes: ids may be of any length.
    await this.#use(await sha256(`${thumbprint} ${payload.jti}`));
  }

  async #use(id: string): Promise<void> {
    // The age of a proof is counted in whole seconds: it is valid for up to one more.
    const ttlMs = (MAX_AGE_S + 2 * this.#clockToleranceS + 1) * 1000;
    const isReplay = await this.#replays.seen(id, ttlMs).catch((cause: unknown) => {
      throw new CredentialsError("unavailable", "The proofs of other requests are unknown", {
        cause,
      });
    });
    if (isReplay) throw refused("The DPoP proof was used before");
  }
}

async function read(proof: string, clockTolerance: number) {
  const wanted = { typ: "dpop+jwt", algorithms: proofAlgorithms, clockTolerance };
  const required = { maxTokenAge: MAX_AGE_S, requiredClaims: ["jti", "htm", "htu", "ath"] };
  try {
    return await jwtVerify<JWTPayload>(proof, EmbeddedJWK, { ...wanted, ...required });
  } catch (error) {
    throw new CredentialsError("invalid_dpop_proof", "The DPoP proof is invalid or too old", {
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

function refused(words: string): CredentialsError {
  return new CredentialsError("invalid_dpop_proof", words);
}
