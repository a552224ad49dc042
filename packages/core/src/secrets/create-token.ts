import { toBase64Url } from "../text/base64.ts";

/** A new secret: random bytes, as base64url. */
export function createToken(bytes = 64): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));
}
