import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";
import type { SeenRequest } from "./scripted-http-server.ts";

/** The claims of a proof with a valid signature (RFC 9449, section 4.2). */
export interface DpopProof {
  readonly jti?: string;
  readonly htm?: string;
  readonly htu?: string;
  readonly ath?: string;
  readonly nonce?: string;
  /** The RFC 7638 thumbprint of its key. */
  readonly thumbprint: string;
}

/** Reads the proof of a request; undefined without one that is signed by its key. */
export function readProof({ headers }: Pick<SeenRequest, "headers">): DpopProof | undefined {
  const [head = "", payload = "", signature = ""] = String(headers["dpop"] ?? "").split(".");
  if (signature === "") return undefined;
  const { jwk, typ } = decode(head) as { readonly jwk: JsonWebKey; readonly typ: string };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const signed = Buffer.from(`${head}.${payload}`);
  const bytes = Buffer.from(signature, "base64url");
  const isSigned = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, bytes);
  if (!isSigned || typ !== "dpop+jwt" || jwk.d !== undefined) return undefined;
  const { crv, kty, x, y } = jwk;
  return { ...decode(payload), thumbprint: hashOf(JSON.stringify({ crv, kty, x, y })) };
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}
