/** Why credentials are rejected; undefined if they are missing. */
export type CredentialsErrorCode =
  | undefined
  | "invalid_token"
  | "invalid_dpop_proof"
  | "insufficient_scope"
  /** The issuer cannot be asked at the moment. */
  | "unavailable";

/** Credentials that are rejected. The message is sent to the client, and repeats nothing of the request. */
export class CredentialsError extends Error {
  readonly code: CredentialsErrorCode;

  constructor(code: CredentialsErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
