import { timingSafeEqual } from "node:crypto";

/** Less is guessed, or is no secret at all. */
const MIN_BYTES = 16;

/** Whether a record holds a token as we make them; a short or an empty one is void. */
export function isRecordedToken(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{43,128}$/.test(value);
}

/**
 * Whether a text is the token; the time it takes discloses only its length. A text that is too
 * short for a token never is.
 */
export function isSameToken(given: string, token: string): boolean {
  const bytes = Buffer.from(given);
  const wanted = Buffer.from(token);
  const isLong = wanted.length >= MIN_BYTES;
  return isLong && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}
