import { RpcError, RpcErrorCode } from "../errors.ts";

/** The error that answers a message which may not come now. */
export function invalidRequest(what: string): RpcError {
  return new RpcError(RpcErrorCode.InvalidRequest, `Invalid Request: ${what}`);
}

/** The error that answers parameters which are not what the method takes. */
export function invalidParams(what: string, data?: unknown): RpcError {
  return new RpcError(RpcErrorCode.InvalidParams, `Invalid params: ${what}`, data);
}
