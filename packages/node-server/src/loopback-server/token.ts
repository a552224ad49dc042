import { timingSafeEqual } from "node:crypto";

/** A shorter one could be guessed. */
const MIN_BYTES = 16;

/** Whether a record holds a token in our format; a short or empty one is invalid. */
export function isRecordedToken(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{43,128}$/.test(value);
}

/**
 * Whether a text is the token, compared in a time that discloses only its length. A text that is too short for a
 * token never matches.
 */
export function isSameToken(given: string, token: string): boolean {
  const bytes = Buffer.from(given);
  const wanted = Buffer.from(token);
  const isLong = wanted.length >= MIN_BYTES;
  return isLong && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}
