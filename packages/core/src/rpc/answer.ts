import { RpcError, RpcErrorCode } from "../errors.ts";
import { ErrorAnswer, formatError, formatResult, type RequestId } from "./message.ts";

/** Who is told of bugs in handlers. */
interface Watched {
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Formats what a handler has returned; a bug when it cannot be written as JSON. */
export function formatSuccess(id: RequestId, result: unknown, options: Watched): string {
  try {
    return formatResult(id, result);
  } catch (error) {
    return formatFailure(id, error, options);
  }
}

/** Formats what a handler has thrown: an RpcError is the answer, of anything else no more is told. */
export function formatFailure(id: RequestId, error: unknown, options: Watched): string {
  if (error instanceof RpcError) {
    try {
      return formatError(id, error);
    } catch (unwritable) {
      return formatFailure(id, unwritable, options);
    }
  }
  reportBug(error, options);
  return formatError(id, new ErrorAnswer(RpcErrorCode.InternalError, "Internal error"));
}

/** Reports what a handler has thrown that is no answer; of a notification, an answer is dropped. */
export function reportBug(error: unknown, { onerror }: Watched): void {
  if (error instanceof RpcError) return;
  onerror?.(error instanceof Error ? error : new Error(String(error)));
}
