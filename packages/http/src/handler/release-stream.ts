import type { ServerCall } from "@idewire/core/server";

/**
 * Ends the stream that a call over HTTP waits on, so that no connection is held while the call takes
 * its time: the client comes back for the answer (MCP 2025-11-25, Transports / Sending Messages).
 * @param retryMs how long the client is to wait before it returns, in milliseconds
 * @returns false, having done nothing, where the client cannot return: before 2025-11-25, without a
 * session, in the modern era, or over another transport
 */
export function releaseStream({ caller, message }: ServerCall, retryMs: number): boolean {
  return message.id !== undefined && caller.releaseStream?.(message.id, retryMs) === true;
}
