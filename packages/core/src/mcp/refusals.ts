import { IdewireError, RpcError, RpcErrorCode } from "../errors.ts";
import { describeValue } from "../rpc/message.ts";

/** The error that answers a message which may not come now. */
export function invalidRequest(what: string): RpcError {
  return new RpcError(RpcErrorCode.InvalidRequest, `Invalid Request: ${what}`);
}

/** The error that answers parameters which are not what the method takes. */
export function invalidParams(what: string, data?: unknown): RpcError {
  return new RpcError(RpcErrorCode.InvalidParams, `Invalid params: ${what}`, data);
}

/** The error for an answer of the other end that the protocol does not allow. */
export function badResult(
  from: "client" | "server",
  method: string,
  answer: unknown,
): IdewireError {
  const seen = describeValue(answer);
  return new IdewireError("protocol", `The ${from} answered ${method} with ${seen}`);
}
