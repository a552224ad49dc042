import { IdewireError, RpcError, toRpcError } from "@idewire/core";
import { parseObject } from "./parse-object.ts";

/** How the codes look with which Node's fetch gives up before it sends anything; a blocked port has a message alone. */
const UNSENT = /CONNECT_TIMEOUT|CERT|LEAF|WRONG_VERSION|^bad port$/;

/**
 * What became of a message: what the server or this client says of it, or when `fetch` could not deliver it, or
 * its answer broke off, `unreachable` when nothing can have arrived, else `lost`.
 * @param show makes the words of `fetch` fit to be shown
 */
export function failureOf(
  what: string,
  error: unknown,
  show = (words: string): string => words,
): Error {
  if (error instanceof IdewireError || error instanceof RpcError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const words = cause instanceof Error ? cause.message : String(cause);
  const shown = show(words);
  const isUnsent = isOfConnecting(cause);
  const code = isUnsent ? "unreachable" : "lost";
  const means = isUnsent ? "the server cannot be reached" : "the connection broke off";
  const message = `${what}: ${means}: ${shown.trim()}`;
  return new IdewireError(code, message, shown === words ? { cause: error } : {});
}

/** Whether the server may know nothing of a message. */
export function mayNotHaveArrived(failure: Error): boolean {
  return failure instanceof IdewireError && /^(lost|unreachable)$/.test(failure.code);
}

/** @param error what Node fails with: one error for each address that was tried, in the last case */
function isOfConnecting(error: unknown): boolean {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { code, syscall, message } = (first ?? {}) as {
    readonly code?: unknown;
    readonly syscall?: unknown;
    readonly message?: unknown;
  };
  return syscall === "connect" || syscall === "getaddrinfo" || UNSENT.test(String(code ?? message));
}

/** The error of a response that is not the answer to a request: what its body says, else its status. */
export function refusalOf(what: string, status: number, body: string): Error {
  return rpcErrorIn(body) ?? refusedBy(what, status, body);
}

/** The error that tells the status, and the first words of the body. */
export function refusedBy(what: string, status: number, body: string): IdewireError {
  return new IdewireError(
    codeOfStatus(status),
    `${what}: HTTP ${status} ${excerpt(body)}`.trimEnd(),
  );
}

function codeOfStatus(status: number): "unauthorized" | "unreachable" | "lost" | "protocol" {
  if (status === 401 || status === 403) return "unauthorized";
  // The server says that it has not begun; otherwise nobody knows.
  if (status === 429 || status === 503) return "unreachable";
  return status >= 500 ? "lost" : "protocol";
}

/** Whether a status says that the server is out of order, or overloaded, which says nothing of the request. */
export function isOutage(status: number): boolean {
  return status === 429 || status >= 500;
}

/** The JSON-RPC error that a body holds, if it holds one. */
function rpcErrorIn(body: string): RpcError | undefined {
  return toRpcError(parseObject(body)?.["error"]);
}

/** The first words of a body, for a person to read. */
function excerpt(body: string): string {
  const words = body.slice(0, 1000).replace(/\s+/g, " ").trim();
  return words.replace(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 200);
}
