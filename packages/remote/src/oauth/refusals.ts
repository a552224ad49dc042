import { IdewireError } from "@idewire/core";
import { AuthorizationResponseError, ResponseBodyError } from "oauth4webapi";

/** How errors name the server that tokens are from. */
export const SERVER = "The authorization server";

/**
 * A refusal of the authorization server, with its code: `invalid_client`, `invalid_grant`. Its cause is left
 * out, as it holds what was sent.
 */
export class OAuthRefusal extends Error {
  readonly code: string;

  constructor(code: string, description: string | undefined) {
    super(clean(`${code}${description === undefined ? "" : `: ${description}`}`));
    this.name = "OAuthRefusal";
    this.code = code;
  }
}

/** Says what a server has refused in its own words, and never what was sent. */
export async function refusing<T>(who: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof IdewireError) throw error;
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
      throw new OAuthRefusal(error.error, error.error_description);
    }
    throw new IdewireError("unauthorized", `${who}: ${clean(wordsOf(error))}`);
  }
}

/** Turns a refusal into the error that callers see. */
export async function saying<T>(who: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    throw new IdewireError("unauthorized", `${who} refused: ${error.message}`);
  }
}

/** Of an error that the library has made of an answer. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "the answer is invalid";
  const { cause, message } = error;
  return cause instanceof Response && !cause.ok ? `it answers HTTP ${cause.status}` : message;
}

function clean(words: string): string {
  return words.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 300);
}
