import { RpcError, RpcErrorCode } from "../errors.ts";

/** The error for a message that is not allowed at this point. */
export function invalidRequest(what: string): RpcError {
  return new RpcError(RpcErrorCode.InvalidRequest, `Invalid Request: ${what}`);
}

/** The error for parameters that the method does not accept. */
export function invalidParams(what: string, data?: unknown): RpcError {
  return new RpcError(RpcErrorCode.InvalidParams, `Invalid params: ${what}`, data);
}

/** Whether an error is of the modern era alone, so that its server speaks that. */
export function isModernError(error: unknown): error is RpcError {
  if (!(error instanceof RpcError)) return false;
  const { code } = error;
  return code <= RpcErrorCode.HeaderMismatch && code >= RpcErrorCode.UnsupportedProtocolVersion;
}
