import type { RequestId } from "@idewire/core/internal";
import { isObject, isRequestId } from "@idewire/core/internal";
import type { JsonBody } from "../json-body.ts";

/**
 * Separates the messages for waiting calls, on any instance, from the rest of a body; undefined if nothing is
 * left.
 */
export function splitBody(body: JsonBody): {
  readonly passed: readonly unknown[];
  readonly rest: JsonBody | undefined;
} {
  const { value, size } = body;
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const passed = messages.filter(isForAnyone);
  if (passed.length === 0) return { passed, rest: body };
  const rest = messages.filter((message) => !isForAnyone(message));
  return { passed, rest: rest.length === 0 ? undefined : { value: rest, size } };
}

/** Whether a message is for a waiting call, on any instance. */
export function isForAnyone(message: unknown): boolean {
  return isCancellation(message) || isAnswer(message) || askedIn(message) !== undefined;
}

/** Whether a message is an answer. */
export function isAnswer(message: unknown): boolean {
  return isObject(message) && !("method" in message) && ("result" in message || "error" in message);
}

/** The id of the question that a message answers, or reports progress of. */
export function askedIn(message: unknown): RequestId | undefined {
  if (!isObject(message)) return undefined;
  const { params } = message;
  const isProgress = message["method"] === "notifications/progress" && isObject(params);
  const id = isAnswer(message) ? message["id"] : isProgress ? params["progressToken"] : undefined;
  return isRequestId(id) ? id : undefined;
}

/** The id of the request that a message cancels. */
export function cancelledIn(message: unknown): RequestId | undefined {
  const params = isCancellation(message) ? message["params"] : undefined;
  const id = isObject(params) ? params["requestId"] : undefined;
  return isRequestId(id) ? id : undefined;
}

function isCancellation(message: unknown): message is Readonly<Record<string, unknown>> {
  return isObject(message) && message["method"] === "notifications/cancelled";
}
