import type { HttpHeaders } from "./responder.ts";

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

/** Why a request is not let in. */
export interface AuthorizationRefusal {
  readonly status: 401 | 403 | 404 | 429 | 503;
  /** Told to the client. */
  readonly message: string;
  /** Such as `www-authenticate`, which a 401 must have (RFC 9110). */
  readonly headers?: HttpHeaders;
}

/** What a message asks for. */
export interface NamedMethod {
  readonly method: string;
  /** The name of the tool or prompt, the URI of the resource, the id of the task; undefined for others. */
  readonly name: string | undefined;
}

/** Whom a request comes from, as `authorize` has found. */
export interface Admission<Context> {
  /** Given to each tool that the request calls. */
  readonly context: Context;
  /**
   * Whose sessions, streams, tasks and sealed states these are: nobody else's requests reach them.
   * Empty when there is one for all.
   */
  readonly principal?: string;
  /** The scopes of its authorization, for tools that need some; none by default. */
  readonly scopes?: readonly string[];
  /**
   * The answer to a call that needs other scopes; by default 403 with a challenge that names them (RFC 6750).
   */
  readonly challenge?: (this: void, needed: readonly string[]) => AuthorizationRefusal;
  /**
   * Called with each message of the body, once that is read: what it asks for is in no head before
   * MCP 2026-07-28. When it returns why one is not let in, none of the body is carried out. It is called
   * as for `resources/read` before a subscription to a resource, and before a change of that is reported.
   */
  readonly refuse?: (this: void, message: NamedMethod) => AuthorizationRefusal | undefined;
  /** When the credential expires, in milliseconds since 1970: the streams of the request end then. */
  readonly expiresAtMs?: number;
  /**
   * Whether the credential is still valid, or was revoked; asked about every `keepAliveMs` while a stream of the
   * request is open, which ends otherwise. A promise that rejects decides nothing.
   */
  readonly isValid?: (this: void) => boolean | Promise<boolean>;
}

/** What MCP has clients send. */
const usual = "application/json, text/event-stream";

/** Whether a type is among what `Accept` admits (RFC 9110, 12.5.1); a missing header admits all. */
export function accepts(
  head: RequestHead,
  type: "application/json" | "text/event-stream",
): boolean {
  const accept = head.header("accept");
  if (accept === undefined || accept === usual) return true;
  const weights = new Map(accept.split(",").map(readRange));
  const [family] = type.split("/");
  // What names the type best decides.
  return (weights.get(type) ?? weights.get(`${family}/*`) ?? weights.get("*/*") ?? 0) > 0;
}

/** A range of media types and its weight, 0 for unacceptable ones. */
function readRange(text: string): [range: string, weight: number] {
  const [range = "", ...parameters] = text.toLowerCase().split(";");
  const weight = parameters.map((one) => one.trim()).find((one) => one.startsWith("q="));
  return [range.trim(), weight === undefined ? 1 : Number(weight.slice(2))];
}
