import { asObject, type Redactor, toRpcError } from "@idewire/core/internal";
import { IdewireError, RpcError } from "@idewire/core/rpc";
import { parseObject } from "./parse-object.ts";

/** The errors of Node's fetch before it sends anything: the operation and the code, or the message alone. */
const UNSENT = /^(connect|getaddrinfo) |CONNECT_TIMEOUT|CERT|LEAF|bad port$/;

/** The errors that `fetch` may throw. */
interface Thrown {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly data?: unknown;
  /** In Node, one for each address that was tried; the first stands for all. */
  readonly errors?: readonly unknown[] | null;
}

/**
 * The error for a message that failed: the server's or this client's own; when `fetch` could not deliver it, or
 * its answer broke off, `unreachable` if nothing can have arrived, else `lost`.
 * @param redactor removes secrets from the messages of `fetch`
 */
export function failureOf(what: string, error: unknown, redactor?: Redactor): Error {
  if (error instanceof IdewireError || error instanceof RpcError) return error;
  const thrown: Thrown = asObject(asObject(error)["cause"] ?? error);
  const reason: Thrown = asObject(thrown.errors?.[0] ?? thrown);
  const mixedUp = protocolMismatch(reason);
  // A response that fetch withholds has an error without a message.
  const reasonText =
    String(reason.message ?? error) || "fetch rejects this response, for example HTTP 407";
  const isUnsent =
    mixedUp !== undefined || UNSENT.test([reason.syscall, reason.code ?? reasonText].join(" "));
  const means = isUnsent ? "the server cannot be reached" : "the connection broke off";
  const words = mixedUp ?? reasonText;
  const shown = redactor?.redact(words) ?? words;
  return new IdewireError(
    isUnsent ? "unreachable" : "lost",
    `${what}: ${means}: ${shown.trim()}`,
    // When HTTP cannot be parsed, the cause holds the server's data.
    shown === words && reason.data === undefined ? { cause: error } : {},
  );
}

/** Detects http used for https and the reverse: neither server's error message helps. */
function protocolMismatch({ code, data }: Thrown): string | undefined {
  if (/WRONG_VERSION|PACKET_LENGTH/.test(String(code))) {
    return "it does not speak TLS: try http: in place of https:";
  }
  // The start of a TLS alert (RFC 8446, section 6).
  if (String(data).startsWith("\x15\x03")) return "it speaks TLS: try https: in place of http:";
  return undefined;
}

/** Whether a message may not have reached the server. */
export function mayNotHaveArrived(failure: Error): boolean {
  return failure instanceof IdewireError && /^(lost|unreachable)$/.test(failure.code);
}

/**
 * The error for a response that does not answer a request: its status, which is the cause, and from its body the
 * JSON-RPC error, the title, or the first words.
 */
export function refusedBy(what: string, status: number, body: string): IdewireError {
  const { message = "" } = asObject(parseObject(body)?.["error"]);
  const text = typeof message === "string" && message !== "" ? message : body;
  const [, title = text] = /<title>(?:\d{3} )?([^<]+)/i.exec(text) ?? [];
  const words = title.slice(0, 1000).replace(/\s+/g, " ").trim();
  const excerpt = words.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 200);
  return new IdewireError(codeOfStatus(status), `${what}: HTTP ${status} ${excerpt}`.trimEnd(), {
    cause: status,
  });
}

function codeOfStatus(status: number): "unauthorized" | "unreachable" | "lost" | "protocol" {
  if (status === 401 || status === 403) return "unauthorized";
  // The server reports that it has not begun the request; with other statuses that is unknown.
  if (status === 429 || status === 503) return "unreachable";
  return status >= 500 ? "lost" : "protocol";
}

/** Whether a status means that the server has failed or is overloaded, regardless of the request. */
export function isOutage(status: number): boolean {
  return status === 429 || status >= 500;
}

/** The JSON-RPC error in the body of a response, if any, with the status as its cause. */
export function rpcErrorIn(body: string, status: number): RpcError | undefined {
  return toRpcError(parseObject(body)?.["error"], { cause: status });
}
