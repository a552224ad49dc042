import { IdewireError, RpcError, RpcErrorCode } from "../errors.ts";
import type { Revision } from "./versions.ts";

/** The error for a message that is not allowed at this point. */
export function invalidRequest(what: string): RpcError {
  return new RpcError(RpcErrorCode.InvalidRequest, `Invalid Request: ${what}`);
}

/** The error for parameters that the method does not accept. */
export function invalidParams(what: string, data?: unknown): RpcError {
  return new RpcError(RpcErrorCode.InvalidParams, `Invalid params: ${what}`, data);
}

/** The error for a server whose revisions the client does not support. */
export function mismatch(theirs: string, ours: readonly Revision[]): IdewireError {
  const text = `The server speaks ${theirs}; this client ${ours.join(", ")}`;
  return new IdewireError("version-mismatch", text);
}

/** Whether an error exists only in the modern era, so that its server supports that. */
export function isModernError(error: unknown): error is RpcError {
  if (!(error instanceof RpcError)) return false;
  const { code } = error;
  return code <= RpcErrorCode.HeaderMismatch && code >= RpcErrorCode.UnsupportedProtocolVersion;
}
