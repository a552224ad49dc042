import type { HttpHeaders } from "./responder.ts";

/** The head of an HTTP request, which `authorize` judges before any body is read. */
export interface RequestHead {
  readonly method: string;
  /** Of the URL, as sent. */
  readonly path: string;
  /** The query of the URL without the question mark; empty if there is none. */
  readonly query: string;
  /** A header by its name in lower case; several of one name are joined as HTTP joins them. */
  header(name: string): string | undefined;
}

/** Why a request is refused. */
export interface AuthorizationRefusal {
  readonly status: 401 | 403 | 404 | 429 | 503;
  /** Sent to the client. */
  readonly message: string;
  /** Such as `www-authenticate`, which a 401 must have (RFC 9110). */
  readonly headers?: HttpHeaders;
}

/** The method and the target of a message. */
export interface NamedMethod {
  readonly method: string;
  /** The name of the tool or prompt, the URI of the resource, the id of the task; undefined for others. */
  readonly name: string | undefined;
}

/** The caller of a request, as `authorize` has determined. */
export interface Admission<Context> {
  /** Passed to each tool that the request calls. */
  readonly context: Context;
  /**
   * The owner of sessions, streams, tasks and sealed states: requests of other principals do not reach them. Empty
   * if all callers share one.
   */
  readonly principal?: string;
  /** The scopes of its authorization, for tools that require some; none by default. */
  readonly scopes?: readonly string[];
  /**
   * The answer to a call that needs other scopes; by default 403 with a challenge that names them (RFC 6750).
   */
  readonly challenge?: (this: void, needed: readonly string[]) => AuthorizationRefusal;
  /**
   * Called with each message of the body once it is read: before MCP 2026-07-28 the head does not name the method.
   * If it returns a reason for one, none of the body is carried out. It is called as for `resources/read` before a
   * subscription to a resource, and before a change of the resource is reported; and before a completion as for
   * `prompts/get`, or for `resources/read` with the URI template.
   */
  readonly refuse?: (this: void, message: NamedMethod) => AuthorizationRefusal | undefined;
  /** When the credential expires, in milliseconds since 1970; the streams of the request end then. */
  readonly expiresAtMs?: number;
  /**
   * Whether the credential is still valid, not revoked: asked every `keepAliveMs` while a stream of the request is
   * open; the stream ends on false. A rejected promise changes nothing.
   */
  readonly isValid?: (this: void) => boolean | Promise<boolean>;
}

/** The media types that MCP's clients accept. */
const usual = "application/json, text/event-stream";

/** Whether `Accept` admits a type (RFC 9110, 12.5.1); a missing header admits all. */
export function accepts(
  head: RequestHead,
  type: "application/json" | "text/event-stream",
): boolean {
  const accept = head.header("accept");
  if (accept === undefined || accept === usual) return true;
  const weights = new Map(accept.split(",").map(readRange));
  const [family] = type.split("/");
  // The most specific range decides.
  return (weights.get(type) ?? weights.get(`${family}/*`) ?? weights.get("*/*") ?? 0) > 0;
}

/** A range of media types and its weight, 0 for unacceptable ones. */
function readRange(text: string): [range: string, weight: number] {
  const [range = "", ...parameters] = text.toLowerCase().split(";");
  const weight = parameters.map((one) => one.trim()).find((one) => one.startsWith("q="));
  return [range.trim(), weight === undefined ? 1 : Number(weight.slice(2))];
}
