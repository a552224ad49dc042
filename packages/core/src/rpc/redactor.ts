/** Keeps the secrets that were sent to the other end out of what a person reads. */
export interface Redactor {
  /** A JSON value that the other end has made, without them. */
  redact<T>(value: T): T;
}
