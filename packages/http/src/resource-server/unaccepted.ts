/** Why credentials are not accepted; undefined where there are none. */
export type UnacceptedCode =
  | undefined
  | "invalid_token"
  | "invalid_dpop_proof"
  | "insufficient_scope"
  /** Nobody can say at the moment. */
  | "unavailable";

/** Credentials that are not accepted. Its message is told to the client, and holds nothing that it has sent. */
export class Unaccepted extends Error {
  readonly code: UnacceptedCode;

  constructor(code: UnacceptedCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
