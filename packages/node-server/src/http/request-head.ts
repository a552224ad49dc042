/** The head of an HTTP request: all that `authorize` is shown, before any body is read. */
export interface RequestHead {
  readonly method: string;
  /** Of the URL, as sent. */
  readonly path: string;
  /** Of the URL, without the question mark; empty when there is none. */
  readonly query: string;
  /** A header by its name in lower case; several of one name are joined as HTTP joins them. */
  header(name: string): string | undefined;
}

/** Whom a request comes from, as `authorize` has found. */
export interface Admission<Context> {
  /** Given to each tool that the request calls; in a session, the one of its `initialize`. */
  readonly context: Context;
  /**
   * Whose sessions, streams, tasks and sealed states these are: nobody else's requests reach them.
   * Empty when there is one for all.
   */
  readonly principal?: string;
}

/** Whether a type is among what `Accept` admits (RFC 9110, 12.5.1); a missing header admits all. */
export function accepts(
  head: RequestHead,
  type: "application/json" | "text/event-stream",
): boolean {
  const accept = head.header("accept");
  if (accept === undefined) return true;
  const weights = new Map(accept.split(",").map(readRange));
  const [family] = type.split("/");
  // What names the type best decides.
  return (weights.get(type) ?? weights.get(`${family}/*`) ?? weights.get("*/*") ?? 0) > 0;
}

/** A range of media types and its weight, 0 for what is not wanted. */
function readRange(text: string): [range: string, weight: number] {
  const [range = "", ...parameters] = text.toLowerCase().split(";");
  const weight = parameters.map((one) => one.trim()).find((one) => one.startsWith("q="));
  return [range.trim(), weight === undefined ? 1 : Number(weight.slice(2))];
}
