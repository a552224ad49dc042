/** A shorter token could be guessed. */
export const MIN_TOKEN_BYTES = 16;

const encoder = new TextEncoder();

/** How many bytes a token has. */
export function byteLength(token: string): number {
  return encoder.encode(token).length;
}

/**
 * Whether a text is the token, compared in a time that discloses only its length. Nothing matches a token that is
 * shorter than `MIN_TOKEN_BYTES`.
 */
export function isSameToken(given: string, token: string): boolean {
  const seen = encoder.encode(given);
  const wanted = encoder.encode(token);
  if (wanted.length < MIN_TOKEN_BYTES || seen.length !== wanted.length) return false;
  let difference = 0;
  for (let index = 0; index < wanted.length; index += 1) {
    difference |= (wanted[index] ?? 0) ^ (seen[index] ?? 0);
  }
  return difference === 0;
}
