import {
  allowInsecureRequests,
  customFetch,
  DPoP,
  type DPoPHandle,
  type ModifyAssertionFunction,
  modifyAssertion,
  protectedResourceRequest,
} from "oauth4webapi";
import type { PrivateJwk, ProofKey } from "./credentials.ts";
import { toStrings } from "./discovery.ts";
import { unauthorized } from "./errors.ts";

/** The parts of the discovered metadata that proofs depend on, in no library's types. */
export interface BindingServer {
  readonly issuer: string;
  /** Whether the MCP server accepts tokens that are bound to a key. */
  readonly acceptsProofs: boolean;
  /** Whether it accepts no others. */
  readonly wantsProofs: boolean;
  readonly metadata: { readonly dpop_signing_alg_values_supported?: unknown };
}

/** A request to an MCP server. */
export interface ProvenRequest {
  readonly method: string;
  readonly url: URL;
  readonly accessToken: string;
}

/** Proves possession of a key with each request. */
export interface KeyProofs {
  readonly key: ProofKey;
  /** For the requests to an authorization server: a `DPoPHandle` of oauth4webapi. */
  readonly handle: { calculateThumbprint(): Promise<string> };
  /** The headers of one request, with a single-use proof. */
  headersFor(request: ProvenRequest): Promise<Headers>;
}

/** Binds tokens to a key; the result of `createDpop`. */
export interface Dpop {
  /**
   * Creates a new key.
   * @param holdsKeys whether the store can hold `CryptoKey`s
   * @returns undefined unless the MCP server accepts bound tokens, and the authorization server issues them
   * @throws IdewireError `unauthorized` when binding is required, and the server does not support our algorithm
   */
  begin(server: BindingServer, holdsKeys: boolean): Promise<KeyProofs | undefined>;
  /** @throws IdewireError `unauthorized` for an invalid key */
  open(key: ProofKey): Promise<KeyProofs>;
  /** Stores the nonce that a server requires in proofs (RFC 9449, sections 8 and 9). */
  storeNonce(url: string, response: Response): void;
}

const KEY = { name: "ECDSA", namedCurve: "P-256" };
const ALGORITHM = "ES256";

/**
 * Makes stolen tokens useless: they are bound to a key (RFC 9449), and each request proves possession of it by a
 * signature. As the option `dpop`, it is used if the MCP server announces that it accepts bound tokens, and the
 * authorization server that it issues them. Each login has its own key, which is stored with the tokens.
 */
export function createDpop(): Dpop {
  /** By the server's origin. */
  const nonces = new Map<string, string>();
  const opened = new WeakMap<ProofKey, Promise<KeyProofs>>();
  const addNonce: ModifyAssertionFunction = (_, payload) => {
    const nonce = nonces.get(new URL(payload["htu"] as string).origin);
    if (nonce !== undefined) payload["nonce"] = nonce;
  };
  const read = async (key: ProofKey): Promise<KeyProofs> => {
    const handle = await handleFor(key, addNonce);
    return { key, handle, headersFor: (request) => headersFor(handle, request) };
  };
  const open = (key: ProofKey): Promise<KeyProofs> => {
    const proofs = opened.get(key) ?? read(key);
    opened.set(key, proofs);
    return proofs;
  };
  return {
    open,
    async begin({ issuer, metadata, acceptsProofs, wantsProofs }, holdsKeys) {
      if (!acceptsProofs) return undefined;
      const offered = toStrings(metadata.dpop_signing_alg_values_supported);
      if (offered?.includes(ALGORITHM) === true || (wantsProofs && offered === undefined)) {
        return open(await createKey(holdsKeys));
      }
      if (!wantsProofs) return undefined;
      const seen = offered?.join(", ") || "none";
      const what = `must accept DPoP proofs by ${ALGORITHM}; it names ${seen}`;
      throw unauthorized(`${issuer} ${what}`);
    },
    storeNonce(url, { headers }) {
      const nonce = headers.get("dpop-nonce");
      if (nonce !== null) nonces.set(new URL(url).origin, nonce);
    },
  };
}

/** Not extractable, unless the store has to write it as JSON. */
async function createKey(holdsKeys: boolean): Promise<ProofKey> {
  const pair = await crypto.subtle.generateKey(KEY, !holdsKeys, ["sign", "verify"]);
  if (holdsKeys) return pair;
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return { kty, crv, x, y, d } as PrivateJwk;
}

async function handleFor(key: ProofKey, addNonce: ModifyAssertionFunction): Promise<DPoPHandle> {
  try {
    // Node and the DOM declare keys differently; the library accepts either.
    const pair: unknown = "privateKey" in key ? key : await importPair(key);
    return DPoP({}, pair as Parameters<typeof DPoP>[1], { [modifyAssertion]: addNonce });
  } catch {
    const what = "The stored key of the tokens is damaged: log out, and log in again";
    throw unauthorized(what);
  }
}

async function importPair({ d, ...half }: PrivateJwk): Promise<CryptoKeyPair> {
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey("jwk", { ...half, d }, KEY, false, ["sign"]),
    crypto.subtle.importKey("jwk", half, KEY, true, ["verify"]),
  ]);
  return { privateKey, publicKey };
}

/** The library signs only requests that it sends itself, so that it is given a `fetch` that sends nothing. */
async function headersFor(
  handle: DPoPHandle,
  { method, url, accessToken }: ProvenRequest,
): Promise<Headers> {
  let signed = new Headers();
  await protectedResourceRequest(accessToken, method, url, undefined, undefined, {
    DPoP: handle,
    [allowInsecureRequests]: true,
    [customFetch]: async (_, { headers }) => {
      signed = new Headers(headers);
      return new Response();
    },
  });
  return signed;
}
