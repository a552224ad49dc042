import { IdewireError } from "@idewire/core/rpc";
import { AuthorizationResponseError, ResponseBodyError } from "oauth4webapi";
import { isOutage } from "../client/failures.ts";

/** The name of the token issuer in errors. */
export const SERVER = "The authorization server";

/** The error for the user when no tokens were issued; the server's text in it is sanitised. */
export function unauthorized(message: string): IdewireError {
  return new IdewireError("unauthorized", clean(message));
}

/** Codes that do not depend on the request: a retry may succeed. */
const TEMPORARY_CODES: ReadonlySet<string> = new Set(
  "temporarily_unavailable server_error slow_down".split(" "),
);

/**
 * An error response of the authorization server, with its code: `invalid_client`, `invalid_grant`, or `HTTP 503`
 * during an outage. It has no cause, as that would contain the request.
 */
export class AuthorizationServerError extends Error {
  readonly code: string;
  /** Whether a retry may succeed. */
  readonly isTemporary: boolean;

  /** @param status of the response */
  constructor(code: string, description: string | undefined, status = 0) {
    super(clean(description === undefined ? code : `${code}: ${description}`));
    this.code = code;
    this.isTemporary = TEMPORARY_CODES.has(code) || isOutage(status);
  }
}

/** Maps errors of the library to the server's own description, without the request. */
export async function mapOAuthErrors<T>(who: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof IdewireError || error instanceof AuthorizationServerError) throw error;
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
      throw new AuthorizationServerError(error.error, error.error_description);
    }
    throw temporaryErrorOf(error) ?? unauthorized(`${who}: ${wordsOf(error)}`);
  }
}

/** Maps an error response to the error that callers see. */
export async function withUserError<T>(who: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AuthorizationServerError)) throw error;
    if (error.isTemporary) throw outage(`${who} answers ${error.message}`);
    throw unauthorized(`${who} refused: ${error.message}`);
  }
}

/** An error for a request that had no effect and may be retried unchanged. */
export function outage(what: string): IdewireError {
  return new IdewireError("unreachable", `${what}: try again later`);
}

/** The outage behind an error of the library for a response without an OAuth error. */
function temporaryErrorOf(error: unknown): AuthorizationServerError | undefined {
  const response = error instanceof Error ? error.cause : undefined;
  if (!(response instanceof Response) || !isOutage(response.status)) return undefined;
  return new AuthorizationServerError(`HTTP ${response.status}`, undefined, response.status);
}

/** Describes an error of the library for a response. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "the answer is invalid";
  const { cause, message } = error;
  return cause instanceof Response && !cause.ok ? `it answers HTTP ${cause.status}` : message;
}

/** Removes control and format characters, and truncates. */
function clean(words: string): string {
  return words.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").slice(0, 1_000);
}
