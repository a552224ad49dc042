import { isObject, isRequestId, parseJson, type RequestId } from "@idewire/core";

/** What a transport over HTTP has to know of a frame that it sends. */
export interface OutgoingMessage {
  readonly frame: string;
  /** `an answer` for a response. */
  readonly method: string;
  /** Of a request. */
  readonly id: RequestId | undefined;
  /** The request that the frame takes back. */
  readonly cancels: RequestId | undefined;
}

/** Reads the envelope of a frame; of what is none, nothing is expected. */
export function readEnvelope(frame: string): OutgoingMessage {
  const message = parseObject(frame);
  const { id, params } = message;
  const method = typeof message["method"] === "string" ? message["method"] : undefined;
  const cancelled = isObject(params) ? params["requestId"] : undefined;
  return {
    frame,
    method: method ?? "an answer",
    id: method !== undefined && isRequestId(id) ? id : undefined,
    cancels: method === "notifications/cancelled" && isRequestId(cancelled) ? cancelled : undefined,
  };
}

/** The revision that the answer to `initialize` names. */
export function readRevision(frame: string): string | undefined {
  const { result } = parseObject(frame);
  const version = isObject(result) ? result["protocolVersion"] : undefined;
  return typeof version === "string" ? version : undefined;
}

function parseObject(frame: string): Readonly<Record<string, unknown>> {
  try {
    const message = parseJson(frame);
    return isObject(message) ? message : {};
  } catch {
    return {};
  }
}
