import { IdewireError, RpcError, RpcErrorCode } from "../../errors.ts";
import { describeValue } from "../../text/describe-value.ts";

/** How often in a row the server of a task may be unreachable. */
export const MAX_FAILURES = 10;

/** The shortest polling interval, even if the server suggests less. */
export const LEAST_POLL_MS = 50;

/** Whether the server was unreachable, which does not affect the task. */
export function isAway(error: unknown): error is IdewireError {
  return error instanceof IdewireError && /^(lost|unreachable)$/.test(error.code);
}

/** Whether a server that had begun the task has lost it, as after a restart. */
export function isForgotten(error: unknown): error is RpcError {
  return error instanceof RpcError && error.code === RpcErrorCode.InvalidParams;
}

/** The error of a task of unknown outcome. */
export function taskLost(taskId: string, cause: Error): IdewireError {
  const message = `tools/call: what became of the task ${describeValue(taskId)} is not known: ${cause.message}`;
  return new IdewireError("lost", message, { cause });
}
