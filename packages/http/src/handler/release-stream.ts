import type { ServerCall } from "@idewire/core/server";

/**
 * Ends the stream of a call over HTTP, so that a long call holds no connection: the client returns for the answer
 * (MCP 2025-11-25, Transports / Sending Messages).
 * @param retryMs the delay before the client returns, in milliseconds
 * @returns false, having done nothing, where the client cannot return: before 2025-11-25, without a session, in
 * the modern era, or over another transport
 */
export function releaseStream({ caller, message }: ServerCall, retryMs: number): boolean {
  return message.id !== undefined && caller.releaseStream?.(message.id, retryMs) === true;
}
