/** Removes secrets that were sent to the other end from texts for people. */
export interface Redactor {
  /** Removes them from a JSON value of the other end. */
  redact<T>(value: T): T;
}
