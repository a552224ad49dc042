import { RpcError, RpcErrorCode } from "../errors.ts";
import { ErrorAnswer, formatError, formatResult, type RequestId } from "./message.ts";

/** Receives the errors of bugs in handlers. */
interface Watched {
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Formats the result of a handler; a result that cannot be serialised as JSON is a bug. */
export function formatSuccess(id: RequestId, result: unknown, options: Watched): string {
  try {
    return formatResult(id, result);
  } catch (error) {
    return formatFailure(id, error, options);
  }
}

/** Formats an error thrown by a handler: an RpcError is sent, anything else becomes "Internal error". */
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

/** Reports errors thrown by a handler that are not answers; a notification's answer is dropped. */
export function reportBug(error: unknown, { onerror = logError }: Watched): void {
  if (error instanceof RpcError) return;
  onerror(error instanceof Error ? error : new Error(String(error)));
}

/** The default report of errors, which would otherwise be lost. */
export function logError(error: Error): void {
  // biome-ignore lint/suspicious/noConsole: the error would otherwise be lost
  console.error(error);
}
