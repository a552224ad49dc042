import type { RequestId } from "@idewire/core/internal";
import { isObject, isRequestId } from "@idewire/core/internal";

/** The ids of the requests in a body, one message or a batch; everything else gets no answer. */
export function requestedIds(body: unknown): readonly RequestId[] {
  const ids: RequestId[] = [];
  for (const message of Array.isArray(body) ? (body as readonly unknown[]) : [body]) {
    if (!isObject(message) || !("method" in message)) continue;
    const { id } = message;
    if (isRequestId(id)) ids.push(id);
  }
  return ids;
}
