import { IdewireError } from "@idewire/core/rpc";
import { AuthorizationResponseError, ResponseBodyError } from "oauth4webapi";
import { isOutage } from "../client/failures.ts";

/** How errors name the server that tokens are from. */
export const SERVER = "The authorization server";

/** An error that says why there are no tokens; what a server brings along in it is made fit to be shown. */
export function unauthorized(message: string): IdewireError {
  return new IdewireError("unauthorized", clean(message));
}

/** Refusals that say nothing of what was sent: the same may be good a moment later. */
const PASSING: ReadonlySet<string> = new Set(
  "temporarily_unavailable server_error slow_down".split(" "),
);

/**
 * A refusal of the authorization server, with its code: `invalid_client`, `invalid_grant`, or `HTTP 503` when it
 * is out of order. Its cause is left out, as it holds what was sent.
 */
export class OAuthRefusal extends Error {
  readonly code: string;
  /** Whether it may be over soon. */
  readonly passes: boolean;

  /** @param status of the answer that it came with */
  constructor(code: string, description: string | undefined, status = 0) {
    super(clean(description === undefined ? code : `${code}: ${description}`));
    this.code = code;
    this.passes = PASSING.has(code) || isOutage(status);
  }
}

/** Says what a server has refused in its own words, and never what was sent. */
export async function refusing<T>(who: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof IdewireError || error instanceof OAuthRefusal) throw error;
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
      throw new OAuthRefusal(error.error, error.error_description);
    }
    throw refusalOf(error) ?? unauthorized(`${who}: ${wordsOf(error)}`);
  }
}

/** Turns a refusal into the error that callers see. */
export async function saying<T>(who: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error;
    if (error.passes) throw outage(`${who} answers ${error.message}`);
    throw unauthorized(`${who} refused: ${error.message}`);
  }
}

/** Nothing has been carried out, and nothing has to be changed. */
export function outage(what: string): IdewireError {
  return new IdewireError("unreachable", `${what}: try again later`);
}

/** Of an error that the library has made of an answer without the members of a refusal. */
function refusalOf(error: unknown): OAuthRefusal | undefined {
  const response = error instanceof Error ? error.cause : undefined;
  if (!(response instanceof Response) || !isOutage(response.status)) return undefined;
  return new OAuthRefusal(`HTTP ${response.status}`, undefined, response.status);
}

/** Of an error that the library has made of an answer. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "the answer is invalid";
  const { cause, message } = error;
  return cause instanceof Response && !cause.ok ? `it answers HTTP ${cause.status}` : message;
}

/** What a server may have said, for a person to read. */
function clean(words: string): string {
  return words.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").slice(0, 1_000);
}
